import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { humanCommands, parseCommand } from "@gantry/contracts";
import type { Agent } from "../src/loop/agent.ts";
import { applyCommand } from "../src/session/apply-command.ts";
import { dataOf, gateTool, testAgent, types } from "./support/agent.ts";

const ok = () => ({ text: "ok" });
/** Has a person's command carried out and gives its end. */
async function typed(agent: Agent, text: string) {
  const { name, args } = parseCommand(text) ?? assert.fail(text);
  const commandId = randomUUID();
  applyCommand(agent, { kind: "command", commandId, name, args, userId: "ada" });
  await agent.log.flush();
  const [run] = dataOf(agent, "command/run").filter((one) => one.commandId === commandId);
  const [done] = dataOf(agent, "command/done").filter((one) => one.commandId === commandId);
  assert.ok(run && done, "the pair is logged");
  return { run, done };
}

/** An agent in the middle of a turn, until the test lets its call end. */
async function working(t: TestContext) {
  const { agent, say } = await testAgent(t, {
    script: (request) =>
      request.messages.some(({ role }) => role === "tool") ? { text: "ok" } : { toolCalls: [{ name: "slow", arguments: {} }] },
  });
  const slow = gateTool(agent, "slow");
  say("go");
  await slow.started;
  return { agent, slow };
}

test("CMD-1 a command begins with the slash, its name is whole and in lower case; anything else is text", () => {
  assert.deepEqual(parseCommand("/goal"), { name: "goal", args: "" });
  assert.deepEqual(parseCommand("/a-1\t x \n y "), { name: "a-1", args: "x \n y " });
  assert.deepEqual(parseCommand("/goal\u00a0x"), { name: "goal", args: "x" });
  for (const text of [
    "/goal/path",
    "/Goal",
    " /goal",
    "/",
    "/-x",
    "/1",
    "/gо",
    "/goal!",
    "//goal",
    "goal",
    "/goal\u200b",
    "\ufeff/goal",
    "",
  ])
    assert.equal(parseCommand(text), null, JSON.stringify(text));
});

test("CMD-5 every command that ships is there for a session of any preset but /compact, which its preset brings", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const names = agent.ctx
    .get("commands")
    ?.list(agent)
    .map(({ name }) => name);
  assert.deepEqual(
    names?.sort(),
    humanCommands.filter((name) => name !== "compact"),
  );
});

test("PRM-4 /permission shows what holds, and with a name switches; each time the pair is logged", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const shown = await typed(agent, "/permission");
  assert.equal(shown.done.kind, "success");
  assert.match(
    shown.done.text ?? "",
    /on workspace-write \(sandbox workspace-write, approvals: ask\)\. Presets: read-only, workspace-write, danger/,
  );
  assert.deepEqual(types(agent), ["command/run", "command/done"]);
  const switched = await typed(agent, "/permission  danger-full-access ");
  assert.match(switched.done.text ?? "", /on danger-full-access: sandbox danger-full-access, approvals: never/);
  assert.equal(agent.log.events[switched.done.sourceEventSeq ?? -1]?.type, "permission/preset");
  const again = await typed(agent, "/permission danger-full-access");
  assert.deepEqual([again.done.kind, again.done.sourceEventSeq], ["success", undefined]);
  const { length } = types(agent);
  const unknown = await typed(agent, "/permission custom");
  assert.deepEqual([unknown.done.kind, types(agent).length], ["error", length + 2]);
  assert.match(unknown.done.text ?? "", /Known ones: read-only, workspace-write/);
});

test("PRM-5 /permission in a turn holds for the next decision and opens no turn of its own", async (t) => {
  const { agent, slow } = await working(t);
  await typed(agent, "/permission read-only");
  assert.equal(agent.sandboxMode(), "read-only");
  slow.finish();
  await agent.whenIdle();
  assert.equal(dataOf(agent, "turn/start").length, 1);
});

test("FBK-2 /feedback writes the record, which alone has the text, says who gets it, and the model never sees it", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  const { run, done } = await typed(agent, "/feedback it forgot\nthe tests ");
  assert.equal(run.args, undefined);
  assert.deepEqual(dataOf(agent, "feedback/record"), [{ text: "it forgot\nthe tests" }]);
  assert.equal(agent.log.events[done.sourceEventSeq ?? -1]?.type, "feedback/record");
  assert.match(done.text ?? "", /not configured/);
  say("hello");
  await agent.whenIdle();
  assert.ok(!JSON.stringify(model.requests).includes("it forgot"));
  for (const text of ["/feedback", "/feedback   ", `/feedback ${"é".repeat(4_097)}`]) {
    const refused = await typed(agent, text);
    assert.deepEqual([refused.done.kind, refused.run.args, dataOf(agent, "feedback/record").length], ["error", undefined, 1]);
  }
  assert.equal((await typed(agent, `/feedback ${"é".repeat(4_096)}`)).done.kind, "success");
});

test("EXP-1 /export takes no argument and leaves its pair in the log, also while a turn runs", async (t) => {
  const { agent, slow } = await working(t);
  assert.equal((await typed(agent, "/export")).done.kind, "success");
  const refused = await typed(agent, "/export as pdf");
  assert.deepEqual([refused.done.kind, refused.run.args], ["error", "as pdf"]);
  slow.finish();
  await agent.whenIdle();
  assert.equal(dataOf(agent, "turn/start").length, 1);
});
