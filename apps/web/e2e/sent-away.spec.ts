import { expect, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { sendMessage, sessionLog, startSession } from "./support/session.ts";
import { startTeam } from "./support/team.ts";

test("CP-56 a turn that the provider sends away for an hour says when it goes on; a person may call that off, or go on at once", async ({
  page,
}) => {
  let isOpen = false;
  const { org } = await startTeam(page, ({ messages }) =>
    isOpen || !messages.some((message) => message.role === "user" && message.text === "hello")
      ? { text: "Here I am." }
      : { fault: { kind: "status", status: 429, retryAfter: 3_600, message: "slow down" } },
  );
  await startSession(page, { org, prompt: "hello", workspace: "files" });
  const note = page.getByText(/goes on by itself in (59 m|1 h)/);
  await expect(note).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page, "a turn that was sent away");
  await page.getByRole("button", { name: "Do not go on" }).click();
  await expect(note).toBeHidden({ timeout: 30_000 });
  isOpen = true;
  await sendMessage(page, "now?");
  await expect(sessionLog(page)).toContainText("Here I am.", { timeout: 30_000 });
});
