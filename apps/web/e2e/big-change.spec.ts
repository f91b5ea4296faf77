import { expect, type Page, test } from "@playwright/test";
import { composer, sessionLog as log, openTurns, startSession, waitUntilReady } from "./support/session.ts";
import { callTool, lastSaid, startTeam } from "./support/team.ts";

const lineCount = 100_000;
/** 4 MB in one file. */
const content = Array.from({ length: lineCount }, (_, line) => `line ${line} ${"x".repeat(30)}`).join("\n");
/** CP-11: as long as the page may be deaf, in milliseconds. */
const deafMs = 2_000;

/** Has the page note from its start on how long it was busy at a stretch. Returns the longest so far, in milliseconds. */
async function watchBusyTime(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { longest: number };
    seen.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask", buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
}

test("CP-11 a change of 100,000 lines leaves the page at hand: it is opened in parts, each drawn within what nobody waits for", async ({
  page,
}) => {
  const { org, model } = await startTeam(page, (request) =>
    lastSaid(request, /^write it/).results.length > 0
      ? { text: "Written." }
      : { ...callTool("write", { file_path: "big.txt", content }), chunkSize: 60_000 },
  );
  const longest = await watchBusyTime(page);
  await startSession(page, { org, prompt: "write it", workspace: "files" });
  await expect(log(page)).toContainText("Written.", { timeout: 120_000 });
  await waitUntilReady(page);
  expect(await longest(), "while it is written").toBeLessThan(deafMs);

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
  await expect(more).toContainText((lineCount - first).toLocaleString("en"));
  await more.click();
  await expect(more).toContainText((lineCount - first - 2_000).toLocaleString("en"));
  expect(await lines.count()).toBe(first + 2_000);
  await composer(page).pressSequentially(", and now");
  await expect(composer(page)).toHaveValue("still here, and now");
  expect(await longest(), "after it is loaded again").toBeLessThan(deafMs);
  await model.close();
});
