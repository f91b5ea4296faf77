import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { newPerson, signUp } from "./support/people.ts";
import { copyPreset, openView, savePreset, yamlEditor } from "./support/presets.ts";
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
    ["settings/personal", "Your defaults"],
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
  await expect(page.getByRole("button", { name: /^Worked/ })).toBeVisible();
  await openTurns(page);
  const closed = sessionLog(page).getByRole("button", { expanded: false });
  for (let at = 0; at < 4; at++) await closed.first().click();
  await look(page, "session with opened tool rows");
  await page.goto(`/${org}/s/00000000-0000-8000-8000-000000000000`);
  await expect(page.getByRole("heading", { name: "You cannot open this" })).toBeVisible();
  await look(page, "session that is not there");
  await expect(sessionLog(page)).toHaveCount(0);
});

test("the pages of admins have no accessibility violation in either theme", async ({ page }) => {
  const org = await signUp(page, newPerson());
  const openPage = async (path: string, heading: string) => {
    await page.goto(`/${org}/admin/${path}`);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await look(page, path);
  };
  for (const [path, heading] of [
    ["presets", "Presets"],
    ["presets/standard", "Standard"],
    ["composition?view=text", "Composition"],
    ["composition?view=revisions", "Composition"],
    ["plugins", "Plugins"],
    ["plugins?view=bundles", "Plugins"],
    ["plugins?view=catalogue", "Plugins"],
    ["settings", "Settings"],
    ["composition", "Composition"],
  ] as const)
    await openPage(path, heading);
  await page.getByRole("button", { name: /^llm-retry/ }).click();
  await look(page, "composition with an opened row");
  await openPage("composition?view=layer", "Composition");
  await page.getByRole("button", { name: "Insert an example" }).click();
  await expect(page.getByRole("heading", { name: "What would change" })).toBeVisible();
  await look(page, "layer with a change");

  await copyPreset(page, { org, from: "Standard", name: "Team" });
  await page.getByRole("button", { name: /^persona/ }).click();
  await page.getByRole("button", { name: "Remove row tool-bash" }).click();
  await look(page, "form with an opened row and a change");
  await page.getByRole("button", { name: "Add a plugin" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look(page, "dialog of plugins");
  await page.keyboard.press("Escape");
  await openView(page, "Dry run");
  await expect(page.getByRole("heading", { name: "Changes against revision 1" })).toBeVisible();
  await look(page, "dry run");
  await openView(page, "YAML");
  await yamlEditor(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("- id: wrong\n  name: \n");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("Control+Space");
  await expect(page.getByRole("option", { name: /^agent-instructions/ })).toBeVisible();
  await look(page, "editor with completions");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Line/ }).first()).toBeVisible();
  await look(page, "editor with a problem");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(yamlEditor(page)).not.toBeFocused();
  await savePreset(page, "to see the draft");
  await expect(page.getByText("You see a draft that no session uses")).toBeVisible();
  await look(page, "draft");
  await openView(page, "Revisions");
  await expect(page.getByRole("list", { name: "Revisions" })).toBeVisible();
  await look(page, "revisions");
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
