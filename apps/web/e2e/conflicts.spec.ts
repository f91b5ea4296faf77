import { expect, type Page, test } from "@playwright/test";
import { killWorker } from "./support/installation.ts";
import { newPerson, signUp } from "./support/people.ts";
import { copyPreset, savePreset } from "./support/presets.ts";
import { sendMessage, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { startTeam } from "./support/team.ts";

const description = (page: Page) => page.getByRole("textbox", { name: "Description" });

test("two tabs edit one preset: the second to save is told, keeps its text, sees what was saved, and may save over it", async ({
  page,
}) => {
  const org = await signUp(page, newPerson());
  await copyPreset(page, { org, from: "Minimal", name: "Team" });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await description(page).fill("written in the first tab");
  await description(other).fill("written in the second tab");
  await savePreset(page, "the first was faster");
  await expect(page.getByText("Saved. New sessions use revision 2")).toBeVisible();

  await savePreset(other, "the second came later");
  const told = other.locator("main").filter({ hasText: "Somebody saved another revision meanwhile" });
  await expect(told).toContainText("the first was faster");
  await expect(description(other)).toHaveValue("written in the second tab");
  await other.getByRole("button", { name: "Save over it" }).click();
  await expect(other.getByText("Saved. New sessions use revision 3")).toBeVisible();
  await page.reload();
  await expect(description(page)).toHaveValue("written in the second tab");

  await description(page).fill("again from the first");
  await description(other).fill("again from the second");
  await savePreset(other, "faster this time");
  await expect(other.getByText("Saved. New sessions use revision 4")).toBeVisible();
  await savePreset(page, "too late");
  await page.getByRole("button", { name: "Discard my changes" }).click();
  await expect(description(page)).toHaveValue("again from the second");
});

test("a change that takes presets away names them and asks again; a session on one is read-only until it gets another", async ({
  page,
}) => {
  const { org, model } = await startTeam(page, () => ({ text: "Understood." }));
  const sessionId = await startSession(page, { org, prompt: "before", workspace: "files", preset: "Standard" });
  await expect(sessionLog(page)).toContainText("Understood.");
  await waitUntilReady(page);
  await copyPreset(page, { org, from: "Minimal", name: "Bare" });
  await page.getByRole("button", { name: "Remove row compaction", exact: true }).click();
  await savePreset(page, "needs less than the others");
  await expect(page.getByText("Saved. New sessions use revision 2")).toBeVisible();

  await page.goto(`/${org}/admin/plugins`);
  await page.getByRole("switch", { name: "token-meter is on" }).click();
  const dialog = page.getByRole("dialog", { name: "Switch token-meter off?" });
  await dialog.getByRole("button", { name: "Switch off" }).click();
  await expect(dialog.getByRole("alert")).toContainText("standard");
  await dialog.getByRole("button", { name: "Change it all the same" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/These presets cannot be used any more: .*standard/)).toBeVisible();
  await page.goto(`/${org}/admin/presets`);
  await expect(page.getByRole("listitem").filter({ hasText: "Standard standard" })).toContainText("Broken");

  killWorker(); // it held the session on the plugins that were there
  await page.goto(`/${org}/s/${sessionId}`);
  await sendMessage(page, "after");
  await expect(page.getByText("This session is read-only")).toBeVisible();
  await expect(sessionLog(page)).toContainText("Understood.");
  await page.getByRole("combobox", { name: "Preset" }).selectOption({ label: "Bare" });
  await page.getByRole("button", { name: "Go on with this preset" }).click();
  await expect(sessionLog(page).getByText("Understood.")).toHaveCount(2);
  await expect(page.getByText("This session is read-only")).toBeHidden();
  await model.close();
});
