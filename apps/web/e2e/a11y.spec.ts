import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { newPerson, signUp } from "./support/people.ts";
import { openTurns, sessionLog, startSession } from "./support/session.ts";
import { addDemoProvider, createEmptyWorkspace } from "./support/setup.ts";

const themes = ["light", "dark"] as const;

/** Looks at the page in both themes and in both widths. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page, `${name}, ${colorScheme}`);
  }
}

test("pages for strangers have no accessibility violation in either theme", async ({ page }) => {
  await page.goto("/signin");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await look(page, "sign-in");
  await page.getByLabel("E-mail").fill("nobody@example.test");
  await page.getByLabel("Password").fill("wrong password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "do not match" })).toBeVisible();
  await look(page, "sign-in with an error");
  await page.goto("/signup");
  await expect(page.getByRole("button", { name: "Create account" })).toBeVisible();
  await look(page, "sign-up");
});

test("empty pages, pages with content and dialogs have no accessibility violation in either theme", async ({ page }) => {
  test.setTimeout(180_000);
  const org = await signUp(page, newPerson());
  await expect(page.getByRole("heading", { name: "First, a model" })).toBeVisible();
  await look(page, "home without a model");
  await page.goto(`/${org}/w`);
  await expect(page.getByRole("heading", { name: "No workspaces yet" })).toBeVisible();
  await look(page, "no workspaces");
  await page.getByRole("button", { name: "New workspace" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look(page, "dialog of a new workspace");
  await page.goto(`/${org}/settings/models`);
  await expect(page.getByRole("heading", { name: "No model providers yet" })).toBeVisible();
  await look(page, "no providers");
  await page.getByRole("button", { name: "Add provider" }).click();
  await page.getByRole("button", { name: "Check and save" }).click();
  await expect(page.getByText("This field is needed.").first()).toBeVisible();
  await look(page, "dialog of a provider with an error");

  await addDemoProvider(page, org);
  await look(page, "providers");
  await createEmptyWorkspace(page, org, "Accessible");
  await look(page, "workspace");
  await page.goto(`/${org}/w`);
  await expect(page.getByRole("link", { name: /Accessible/ })).toBeVisible();
  await look(page, "workspaces");
  for (const [path, heading] of [
    ["settings/account", "Account"],
    ["admin", "System"],
    ["", "What should be done?"],
  ] as const) {
    await page.goto(`/${org}/${path}`);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await look(page, heading);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await look(page, "shortcuts");

  await startSession(page, { org, prompt: "Say hello." });
  await expect(page.getByText("Say hello.").first()).toBeVisible();
  await look(page, "session");
  await expect(page.getByRole("button", { name: /^Worked/ })).toBeVisible({ timeout: 60_000 });
  await openTurns(page);
  const closed = sessionLog(page).getByRole("button", { expanded: false });
  for (let at = 0; at < 4; at++) await closed.first().click();
  await look(page, "session with opened tool rows");
  await page.goto(`/${org}/s/00000000-0000-8000-8000-000000000000`);
  await expect(page.getByRole("heading", { name: "You cannot open this" })).toBeVisible();
  await look(page, "session that is not there");
  await expect(sessionLog(page)).toHaveCount(0);
});

test("the skip link is the first stop of the Tab key and leads to the content", async ({ page }) => {
  const org = await signUp(page, newPerson());
  await page.goto(`/${org}/w`);
  await expect(page.getByRole("heading", { name: "No workspaces yet" })).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await skip.press("Enter");
  await expect(page).toHaveURL(/#content$/);
});
