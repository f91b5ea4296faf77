import { startScriptedModel } from "@gantry/testing";
import { expect, test } from "@playwright/test";
import { newPerson, signOut, signUp } from "./support/people.ts";
import { sessionLog, startSession } from "./support/session.ts";
import { addDemoProvider, addProvider, createEmptyWorkspace } from "./support/setup.ts";

test("a dialog begins at its first field, gives the focus back, and does not save over another provider", async ({ page }) => {
  const org = await signUp(page, newPerson());
  await addDemoProvider(page, org);
  const add = page.getByRole("button", { name: "Add provider" });
  await add.focus();
  await add.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Kind")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(add).toBeFocused();

  await add.click();
  await dialog.getByLabel("Kind").selectOption("demo");
  await dialog.getByLabel("Name", { exact: true }).fill("Another");
  await dialog.getByLabel("Short name").fill("demo");
  await dialog.getByRole("button", { name: "Check and save" }).click();
  await expect(dialog.getByText("Another provider has this short name.")).toBeVisible();
  await dialog.getByLabel("Short name").fill("demo-2");
  await expect(dialog.getByText("Another provider has this short name.")).toBeHidden();
});

test("what is wrong with a provider's field goes when the field changes, or the kind it belongs to; a reload does not ask again", async ({
  page,
}) => {
  const org = await signUp(page, newPerson());
  await page.goto(`/${org}/settings/models?add=1`);
  const dialog = page.getByRole("dialog");
  const check = dialog.getByRole("button", { name: "Check and save" });
  const missing = dialog.getByText("This field is needed.");
  await dialog.getByLabel("Name", { exact: true }).fill("Mine");
  await dialog.getByLabel("Short name").fill("mine");
  await check.click();
  await expect(missing).toBeVisible();
  await dialog.getByLabel("Kind").selectOption("openai");
  await expect(missing).toBeHidden();

  await dialog.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
  await dialog.getByLabel("Model ids").fill("any");
  await check.click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Kind").selectOption("demo");
  await expect(dialog.getByRole("alert")).toBeHidden();

  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByRole("button", { name: "Add provider" })).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/models$/);
  await expect(dialog).toBeHidden();
});

test("Esc twice stops wherever the focus is; the address of a session survives the sign-in form", async ({ page }) => {
  const model = await startScriptedModel(() => ({ text: "word ".repeat(400), chunkSize: 3, delayMs: 60 }), { models: ["test-model"] });
  const person = newPerson();
  const org = await signUp(page, person);
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test-model"], key: "a-key" });
  await createEmptyWorkspace(page, org, "files");
  const sessionId = await startSession(page, { org, prompt: "write for long", workspace: "files" });
  await expect(sessionLog(page)).toContainText("word word word");
  await sessionLog(page).focus();
  // the second press counts for a moment only, which a slow machine may miss
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByText("Press Esc again to stop")).toBeVisible({ timeout: 1_000 });
    await page.keyboard.press("Escape");
    await expect(sessionLog(page).getByRole("heading", { name: "Stopped" })).toBeVisible({ timeout: 5_000 });
  }).toPass();

  await signOut(page);
  await page.goto(`/${org}/s/${sessionId}`);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(sessionLog(page)).toContainText("word word word");
  await model.close();
});

test("what is not there and what belongs to others says so once and leads home", async ({ page }) => {
  const person = newPerson();
  const org = await signUp(page, person);
  for (const path of ["/nobody", "/nobody/w", `/${org}/s/no-id`, `/${org}/w/no-id`, "/no/such/page"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "You cannot open this" })).toHaveCount(1);
    await expect(page.getByRole("link", { name: "Go to your organisation" })).toBeVisible();
  }
  await page.getByRole("link", { name: "Go to your organisation" }).click();
  await expect(page.getByRole("heading", { name: "What should be done?" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${org}$`));
});

test("SC-W8 a sign-in or sign-up form cannot be sent before the page's code is there, so that no password gets into an address", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  for (const [path, button] of [
    ["/signin", "Sign in"],
    ["/signup", "Create account"],
  ] as const) {
    await page.goto(path);
    await page.getByLabel("Password").fill("a long password");
    await page.getByLabel("E-mail").press("Enter");
    await expect(page.getByRole("button", { name: button, exact: true })).toBeDisabled();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
});
