import { expect, test } from "@playwright/test";
import { newPerson, signUp } from "./support/people.ts";

test("a patch that changes nothing is named while it is written, at its line, and after it is saved", async ({ page }) => {
  const org = await signUp(page, newPerson());
  await page.goto(`/${org}/admin/composition?view=layer`);
  const editor = page.getByRole("textbox", { name: "Patches of your organisation, YAML" });
  await editor.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("# ours\n- id: does-not-exist\n  disabled: true\n");
  const warnings = page.getByRole("status").filter({ hasText: "Has no effect as it stands" });
  await expect(warnings).toContainText('no row has the id "does-not-exist"');
  await page.keyboard.press("Control+End");
  await warnings.getByRole("button", { name: "Line 2" }).click();
  await expect(page.locator(".cm-activeLine")).toHaveText("- id: does-not-exist");

  await page.getByRole("button", { name: "Save layer" }).click();
  await expect(page.getByText("Saved as revision 1.")).toBeVisible();
  await expect(page.getByText("One of its patches has no effect")).toBeVisible();
  await expect(warnings).toContainText("does-not-exist");

  await editor.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("- id: sandbox-prewarm\n  disabled: true\n");
  await expect(warnings).toBeHidden();
});
