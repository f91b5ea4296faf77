import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { composer, sendMessage, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { callTool, lastSaid, startTeam } from "./support/team.ts";

const widely = (command: string) => ({
  name: "bash",
  arguments: { command, description: "Say it", sandbox_permissions: "danger-full-access", justification: "it needs more" },
});
const approval = (page: Page): Locator => page.getByRole("region", { name: "Allow this call?" });
/** Presses the key in the card of this call. */
async function answer(page: Page, call: string, key: "a" | "d"): Promise<void> {
  const card = approval(page).filter({ hasText: call });
  await card.press(key);
  await expect(card).toHaveCount(0);
}
const queue = (page: Page): Locator => page.getByRole("list", { name: "Waiting messages" });

test("a question that comes while somebody types takes no key; what is written beside it reaches the agent after the answer", async ({
  page,
}) => {
  const steer = "and add a test, dad; n or q or a";
  let letAsk = () => {};
  const mayAsk = new Promise<void>((resolve) => {
    letAsk = resolve;
  });
  const { org, model } = await startTeam(page, async (request) => {
    const { said, results } = lastSaid(request, /^(hello|change it)$/);
    if (said !== "change it") return { text: "Understood." };
    const heard = request.messages.some((message) => message.role === "user" && message.text === steer);
    if (results.length > 0) return { text: `It said ${results[0]}, and I ${heard ? "heard" : "did not hear"} you.` };
    await mayAsk;
    return callTool("edit", {
      file_path: "a.ts",
      old_string: "one",
      new_string: "two",
      sandbox_permissions: "danger-full-access",
      justification: "it is outside",
    });
  });
  await startSession(page, { org, prompt: "hello", workspace: "files" });
  await waitUntilReady(page);
  await sendMessage(page, "change it");
  await composer(page).pressSequentially(steer.slice(0, 12));
  letAsk();
  await expect(approval(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type(steer.slice(12));
  await expect(composer(page)).toHaveValue(steer);
  await expect(approval(page).getByRole("region", { name: "a.ts" })).toContainText("two");
  await expectAccessible(page, "an approval with the composer beside it");
  await expect(page).toHaveTitle(/^Needs you: /);

  await page.reload();
  await expect(composer(page)).toHaveValue(steer);
  await expect(approval(page)).toBeVisible();
  await composer(page).press("Enter");
  await expect(queue(page)).toContainText("joins at the next step");
  await expect(approval(page)).toBeVisible();
  await composer(page).blur();
  await page.keyboard.press("q");
  await expect(approval(page)).toBeFocused();
  await answer(page, "a.ts", "a");
  await expect(sessionLog(page)).toContainText("and I heard you.");
  await model.close();
});

test("one question after another is answered by keyboard; a key that was meant for the one before is text in the composer", async ({
  page,
}) => {
  const { org, model } = await startTeam(page, (request) => {
    const { results } = lastSaid(request, /^ask twice$/);
    if (results.length > 0)
      return { text: `Results: ${results.map((one) => (one.includes("reject") ? "denied" : one.trim())).join(", ")}.` };
    return { toolCalls: [widely("echo first"), widely("echo second")] };
  });
  await startSession(page, { org, prompt: "ask twice", workspace: "files" });
  await expect(approval(page)).toContainText("echo first");
  await expect(composer(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Write to the agent" }).focus();
  await page.keyboard.press("Enter");
  await expect(composer(page)).toBeFocused();
  await answer(page, "echo first", "a");
  await expect(approval(page)).toContainText("echo second");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("d");
  await expect(composer(page)).toHaveValue("d");
  await expect(approval(page)).toContainText("echo second");
  await composer(page).fill("");
  await page.keyboard.press("Shift+Tab");
  await expect(approval(page).getByRole("button", { name: "Allow once" })).toBeFocused();
  await answer(page, "echo second", "d");
  await expect(sessionLog(page)).toContainText("Results: first, denied.");
  await expect(composer(page)).toBeFocused();
  await model.close();
});
