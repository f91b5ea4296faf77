import { type ScriptRequest, startScriptedModel, toolResults } from "@gantry/testing";
import { expect, test } from "@playwright/test";
import { newPerson, signOut, signUp } from "./support/people.ts";
import { sendMessage, sessionLog, startSession, stopTurn, waitUntilReady } from "./support/session.ts";
import { addProvider, createEmptyWorkspace } from "./support/setup.ts";

const slowly = { chunkSize: 3, delayMs: 60 };
const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command, description: "Run it" } }] });

function script(request: ScriptRequest) {
  const heard = request.messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
  const last = heard.findLast((text) => ["write for long", "run a command", "and count", "be brief"].includes(text));
  if (last === "write for long") return { text: "word ".repeat(400), ...slowly };
  if (last === "run a command") return toolResults(request).length === 0 ? bash("sleep 15; echo slept") : { text: "It slept." };
  if (last === "and count") return { text: `I heard ${heard.includes("run a command") ? "both" : "one"}.` };
  return { text: "Brief." };
}

test("a person stops, steers, signs out, and a signed-out browser sees nothing", async ({ page }) => {
  const model = await startScriptedModel(script, { models: ["test-model"] });
  const org = await signUp(page, newPerson());
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test-model"], key: "a-key" });
  await createEmptyWorkspace(page, org, "files");
  const sessionId = await startSession(page, { org, prompt: "write for long", workspace: "files" });
  await expect(sessionLog(page)).toContainText("word word word");
  await stopTurn(page);
  await sendMessage(page, "be brief");
  await expect(sessionLog(page)).toContainText("Brief.");
  await waitUntilReady(page);

  await sendMessage(page, "run a command");
  await expect(page.getByRole("status").filter({ hasText: "sleep 15" })).toBeVisible();
  await sendMessage(page, "and count");
  await expect(sessionLog(page)).toContainText("I heard both.");
  await waitUntilReady(page);

  await signOut(page);
  await page.goto(`/${org}/s/${sessionId}`);
  await expect(page.getByRole("heading", { name: "Sign in to Gantry" })).toBeVisible();
  await model.close();
});
