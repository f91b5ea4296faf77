import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandPayload, Message } from "@gantry/contracts";
import { applyCommand } from "../src/session/apply-command.ts";
import { dataOf, gateTool, testAgent, textOf } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";

type Change = Extract<CommandPayload, { kind: "queue" }>["change"];

test("a person edits, moves, drops and steers what waits; what already runs stays as it is (§2.9)", async (t) => {
  const script = (request: { messages: readonly { role: string }[] }) =>
    request.messages.some(({ role }) => role === "tool") ? { text: "done" } : { toolCalls: [{ name: "gate", arguments: {} }] };
  const { agent, say } = await testAgent(t, { script });
  const gate = gateTool(agent, "gate");
  const queue = (messageId: string, change: Change) => applyCommand(agent, { kind: "queue", messageId, change, userId: "u" });
  say("running");
  await gate.started;
  for (const text of ["one", "two", "three", "four"]) say(text);
  queue("running", { kind: "edit", text: "too late" });
  queue("one", { kind: "remove" });
  queue("four", { kind: "move", index: 0 });
  queue("two", { kind: "edit", text: "two, edited" });
  queue("three", { kind: "steer" });
  queue("three", { kind: "steer" });
  gate.finish();
  await agent.whenIdle();
  const said = dataOf(agent, "user/message").filter(({ source }) => source.kind === "user");
  assert.deepEqual(said.map(textOf), ["running", "three", "four", "two, edited"]);
  assert.equal(dataOf(agent, "turn/start").length, 3);
});

test("LLM-2 an edited message is the words of who edited it, and nobody edits what a plugin says", async (t) => {
  const { agent } = await testAgent(t, { script: () => ({ text: "done" }) });
  const send = { kind: "send", text: "first", target: "next-turn", wakeup: false, userName: "Ada" } as const;
  for (const [messageId, userId] of Object.entries({ own: "ada", others: "ada" })) applyCommand(agent, { ...send, messageId, userId });
  const notice: Message = { ...userMessage("notice"), source: { kind: "plugin", plugin: "policy" } };
  agent.send(notice, "next-turn", false);
  const edit = { kind: "queue", change: { kind: "edit", text: "second" } } as const;
  applyCommand(agent, { ...edit, messageId: "own", userId: "ada", userName: "Ada" });
  applyCommand(agent, { ...edit, messageId: "others", userId: "bob", userName: "Bob" });
  applyCommand(agent, { ...edit, messageId: "notice", userId: "bob", userName: "Bob" });
  const [own, others, kept] = agent.inbox.pending("next-turn");
  assert.deepEqual([own?.source, own && textOf(own)], [{ kind: "user", userId: "ada", name: "Ada" }, "second"]);
  assert.deepEqual([others?.source, others && textOf(others)], [{ kind: "user", userId: "bob", name: "Bob" }, "second"]);
  assert.deepEqual(kept, notice);
});
