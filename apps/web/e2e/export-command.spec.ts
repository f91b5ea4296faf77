import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { composer, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { startTeam } from "./support/team.ts";

test("EXP-1 AG-166 /export downloads the log with the command's own pair in it, and does so once", async ({ page }) => {
  const { org } = await startTeam(page, () => ({ text: "Hello back." }));
  await startSession(page, { org, prompt: "hello", workspace: "files" });
  await waitUntilReady(page);
  let downloads = 0;
  page.on("download", () => {
    downloads += 1;
  });
  await composer(page).fill("/export");
  const [download] = await Promise.all([page.waitForEvent("download"), composer(page).press("Enter")]);
  const lines = readFileSync(await download.path(), "utf8");
  expect(download.suggestedFilename()).toMatch(/^session-.*\.jsonl$/);
  expect(lines).toContain('"command/run"');
  expect(lines).toContain('"command/done"');
  await expect(sessionLog(page)).toContainText("/export The log up to here is ready to be downloaded.");
  await page.reload();
  await expect(sessionLog(page)).toContainText("/export The log up to here");
  await waitUntilReady(page);
  expect(downloads).toBe(1);
});
