import { expect, test } from "@playwright/test";
import { composer, sessionLog, startSession, stopTurn, waitUntilReady } from "./support/session.ts";
import { lastSaid, startTeam } from "./support/team.ts";

test("after a stop the queue waits for a person; it is edited, moved, emptied and begun by keyboard, and the focus is never lost", async ({
  page,
}) => {
  const { org, model } = await startTeam(page, (request) => {
    const { said } = lastSaid(request, /^(write for long|one|two.*|three)$/);
    return said === "write for long" ? { text: "word ".repeat(2_000), chunkSize: 5, delayMs: 40 } : { text: `Heard ${said}.` };
  });
  await startSession(page, { org, prompt: "write for long", workspace: "files" });
  await expect(sessionLog(page)).toContainText("word word word");
  const queue = page.getByRole("list", { name: "Waiting messages" });
  for (const text of ["one", "two", "three"]) {
    await composer(page).fill(text);
    await page.getByRole("button", { name: "Queue next" }).focus();
    await page.keyboard.press("Enter");
    await expect(queue.getByRole("listitem").filter({ hasText: text }).getByRole("button", { name: "Edit" })).toBeEnabled();
  }
  await stopTurn(page);
  await expect(page.getByRole("status").filter({ hasText: "Stopped; the queue waits for you" })).toBeVisible();
  const item = (text: string) => queue.getByRole("listitem").filter({ hasText: text });
  const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);

  await item("two").getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(item("two").getByRole("button", { name: "Edit" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.type(" and a half");
  await page.keyboard.press("Enter");
  await expect(item("two and a half")).toBeVisible();
  await expect.poll(hasFocus).toBe(true);
  await item("two and a half").getByRole("button", { name: "Move up" }).focus();
  await page.keyboard.press("Enter");
  await expect(queue.getByRole("listitem").first()).toContainText("two and a half");
  await expect.poll(hasFocus).toBe(true);
  await item("one").getByRole("button", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  await expect(item("one")).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("ul")?.getAttribute("aria-label"))).toBe("Waiting messages");
  await item("three").getByRole("button", { name: "Begin now" }).focus();
  await page.keyboard.press("Enter");
  // a turn takes what was begun and the first that waits (INB-4)
  await expect(sessionLog(page)).toContainText("Heard two and a half.");
  await waitUntilReady(page);
  await expect(sessionLog(page).getByRole("article")).toContainText(["write for long", "three", "two and a half"]);
  await expect.poll(hasFocus).toBe(true);
  await model.close();
});
