import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandPayload } from "@gantry/contracts";
import { applyCommand } from "../src/session/apply-command.ts";
import { dataOf, gateTool, testAgent, textOf } from "./support/agent.ts";

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
