import { expect, type Locator, type Page } from "@playwright/test";

/** Copies a preset from the list. Its page is then open, on the form. */
export async function copyPreset(page: Page, { org, from, name }: { org: string; from: string; name: string }): Promise<void> {
  await page.goto(`/${org}/admin/presets`);
  await page.getByRole("button", { name: `Copy ${from}`, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Copy ${from}` });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

export const openView = async (page: Page, view: "Form" | "YAML" | "Dry run" | "Revisions"): Promise<void> =>
  page.getByRole("tab", { name: view, exact: true }).click();

/** The text of the preset, in the editor. */
export const yamlEditor = (page: Page): Locator => page.getByRole("textbox", { name: "Rows of the preset, YAML" });

/** Saves what is open with a reason. */
export async function savePreset(page: Page, reason: string): Promise<void> {
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: "Save", exact: true }).click();
}
