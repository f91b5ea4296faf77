import { expect, test } from "@playwright/test";
import { composer, sessionLog as log, openTurns, startSession, waitUntilReady } from "./support/session.ts";
import { callTool, lastSaid, startTeam } from "./support/team.ts";

const lineCount = 100_000;
/** 4 MB in one file. */
const content = Array.from({ length: lineCount }, (_, line) => `line ${line} ${"x".repeat(30)}`).join("\n");
const inWords = (lines: number): string => lines.toLocaleString("en");

test("CP-11 a change of 100,000 lines is drawn in parts, as many as were asked for, and the page is at hand meanwhile", async ({
  page,
}) => {
  const { org, model } = await startTeam(page, (request) =>
    lastSaid(request, /^write it/).results.length > 0
      ? { text: "Written." }
      : { ...callTool("write", { file_path: "big.txt", content }), chunkSize: 60_000 },
  );
  await startSession(page, { org, prompt: "write it", workspace: "files" });
  await expect(log(page)).toContainText("Written.", { timeout: 120_000 });
  await waitUntilReady(page);

  await page.reload();
  await composer(page).pressSequentially("still here");
  await openTurns(page);
  await log(page)
    .getByRole("button", { name: /^Write/ })
    .click();
  const figure = log(page).getByRole("figure");
  const lines = figure.getByText(/^line \d+ x+$/);
  await expect(lines.first()).toHaveText(/^line 0 /);
  const first = await lines.count();
  expect(first).toBeLessThan(100);
  const more = figure.getByRole("button", { name: /lines not shown/ });
  await expect(more).toContainText(inWords(lineCount - first));
  await more.click();
  await expect(more).toContainText(inWords(lineCount - first - 2_000));
  expect(await lines.count()).toBe(first + 2_000);
  await composer(page).pressSequentially(", and now");
  await expect(composer(page)).toHaveValue("still here, and now");
  await model.close();
});
