import assert from "node:assert/strict";
import { test } from "node:test";
import { standardRows } from "@gantry/compose";
import type { Agent } from "../src/loop/agent.ts";
import { applyCommand } from "../src/session/apply-command.ts";
import type { LogBatch } from "../src/session/log.ts";
import { type RecoveryOptions, recoverSession } from "../src/session/recover-session.ts";
import { cleanTitle } from "../src/titles/title-text.ts";
import { dataOf, gateTool, resultText, testAgent, textOf, types } from "./support/agent.ts";
import { draft, logOf, userMessage } from "./support/log.ts";

const sent = draft.insert(userMessage("m1"));
const entered = [sent, draft.turnStart(1), draft.claim(), draft.stepStart(1, 1), draft.user("m1")];
const never = new AbortController().signal;
/** Every recorded call had begun, unless the test says otherwise. */
const recover = (agent: Agent, options: Partial<RecoveryOptions> = {}) =>
  recoverSession(agent, {
    ended: never,
    stopAsked: never,
    dispatched: async () => callsOf(agent),
    autoContinue: "safe",
    status: "",
    ...options,
  });
const callsOf = (agent: Agent) => agent.log.events.flatMap(({ type, seq }) => (type === "tool/call" ? [seq] : []));
const ok = () => ({ text: "ok" });
const endsOf = (agent: Parameters<typeof dataOf>[0]) => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);

test("a turn that was cut before any call goes on by itself, with a notice that says why (REC-10)", async (t) => {
  const { agent, model } = await testAgent(t, { script: ok, events: logOf(...entered) });
  assert.deepEqual(await recover(agent), { interrupted: true, continues: true });
  await agent.whenIdle();
  assert.deepEqual(endsOf(agent), ["interrupted", "completed"]);
  assert.ok(model.requests[0]?.messages.some((message) => message.role === "user" && message.text.includes("infrastructure restarted")));
});

test("REC-10 the notice of a continuation names the calls that are without a true result, and those only", async (t) => {
  const calls = [
    { id: "c0", name: "read" },
    { id: "c1", name: "glob" },
    { id: "c2", name: "bash" },
  ];
  const events = logOf(...entered, draft.assistant(1, 1, calls), draft.call(1, 1, "c0"), draft.result(1, 1, "c0"), draft.call(1, 1, "c1"));
  const { agent } = await testAgent(t, { script: ok, events, rows: standardRows });
  assert.equal((await recover(agent)).continues, true);
  await agent.whenIdle();
  const notice = dataOf(agent, "user/message").find(({ source }) => source.kind === "plugin" && source.plugin === "recovery");
  assert.ok(notice?.source.kind === "plugin" && notice.source.form === "notice");
  assert.match(textOf(notice), /Calls without a result: glob \(c1\), its effect is unknown; bash \(c2\), never started\.$/);
  assert.doesNotMatch(textOf(notice), /c0/);
});

test("a message that was claimed and not yet logged runs after the repair, without a notice (C3)", async (t) => {
  const { agent } = await testAgent(t, { script: ok, events: logOf(sent, draft.turnStart(1), draft.claim()) });
  await recover(agent);
  await agent.whenIdle();
  assert.deepEqual(endsOf(agent), ["interrupted", "completed"]);
  const entries = dataOf(agent, "user/message").filter((message) => message.source.kind === "user");
  assert.deepEqual(
    entries.map((message) => message.id),
    ["m1"],
  );
  assert.ok(!JSON.stringify(agent.log.events).includes("infrastructure"));
});

test("a call whose effect nobody can tell stops the session until a person looks (C8)", async (t) => {
  const events = logOf(...entered, draft.assistant(1, 1, [{ id: "c0", name: "bash" }]), draft.call(1, 1, "c0"));
  const { agent, model, say } = await testAgent(t, { script: ok, events, rows: standardRows });
  assert.deepEqual(await recover(agent), { interrupted: true, continues: false });
  await agent.whenIdle();
  assert.equal(model.requests.length, 0);
  assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, "TOOL_OUTCOME_UNKNOWN");
  say("go on");
  await agent.whenIdle();
  assert.deepEqual(endsOf(agent), ["interrupted", "completed"]);
});

test("a stop that waits when the session is taken up ends the interrupted turn for good", async (t) => {
  const { agent, model } = await testAgent(t, { script: ok, events: logOf(...entered) });
  const recovery = await recover(agent, { stopAsked: AbortSignal.abort() });
  await agent.whenIdle();
  assert.deepEqual([recovery.continues, endsOf(agent), model.requests.length], [false, ["aborted"], 0]);
});

test("recovering twice adds nothing, and a session that was given back whole just waits (REC-5, C11)", async (t) => {
  const whole = logOf(...entered, draft.assistant(1, 1, [], "hi"), draft.stepEnd(1, 1), draft.turnEnd(1));
  const { agent } = await testAgent(t, { script: ok, events: whole });
  await recover(agent);
  const after = agent.log.events.length;
  await recover(agent);
  assert.deepEqual([agent.log.events.length, agent.status, types(agent).at(-1)], [after, "idle", "session/end-seed"]);
});

test("a message that waits is run by the next holder (C1)", async (t) => {
  const { agent } = await testAgent(t, { script: ok, events: logOf(sent) });
  await recover(agent);
  await agent.whenIdle();
  assert.deepEqual(endsOf(agent), ["completed"]);
});

test("AG-245 the same send arrives twice and is one message, waiting or already run", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const send = { kind: "send", messageId: "m1", text: "hi", target: "next-turn", wakeup: true, userId: "u1", userName: "Ada" } as const;
  applyCommand(agent, send);
  applyCommand(agent, send);
  await agent.whenIdle();
  applyCommand(agent, send);
  await agent.whenIdle();
  assert.equal(dataOf(agent, "user/message").filter((message) => message.source.kind === "user").length, 1);
});

test("an engine that is down is an answer to the call, with what to do, and the turn completes", async (t) => {
  const script = (request: { messages: readonly { role: string }[] }) =>
    request.messages.at(-1)?.role === "tool"
      ? { text: "I cannot reach the files." }
      : { toolCalls: [{ name: "read", arguments: { file_path: "a.txt" } }] };
  const { agent, say } = await testAgent(t, { script, rows: standardRows });
  say("read it");
  await agent.whenIdle();
  const [result] = dataOf(agent, "tool/result");
  assert.match(resultText(result?.message as never), /^Error: This test has no container engine/);
  assert.deepEqual([result?.error?.code, endsOf(agent)], ["ENGINE_DOWN", ["completed"]]);
});

test("TTL-1 the first words of the first prompt become the title, and a person's title stays", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  say("please repair the broken tests now");
  await agent.whenIdle();
  applyCommand(agent, { kind: "rename", title: "Mine", userId: "u1" });
  say("more");
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "session/title").map(({ title }) => title),
    ["please repair the broken tests", "Mine"],
  );
});

test("TTL-1 a person's title is no longer than any other, cut at a character", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  applyCommand(agent, { kind: "rename", title: `\u202e${"ä".repeat(60)}`, userId: "u1" });
  assert.deepEqual(
    dataOf(agent, "session/title").map(({ title }) => title),
    ["ä".repeat(40)],
  );
});

test("TTL-1 a title has no control, escape or direction characters and is cut at a character", () => {
  const limits = { maxWords: 5, maxBytes: 10 };
  assert.equal(cleanTitle("\u001b[31mred\u001b[0m\u202e \n text", limits), "red text");
  assert.equal(cleanTitle("ääääääääää", limits), "äääää");
  assert.equal(cleanTitle("  ", limits), "");
  const link = "\u001b]8;;http://x.example\u001b\\link\u001b]8;;\u001b\\ \u001b]0;window\u0007end";
  assert.equal(cleanTitle(link, limits), "link end");
});

test("prompts may name the route and the working directory (SYS-5)", async (t) => {
  const rows = [{ id: "persona", name: "persona", config: { prefix: "You run {{model}} of {{provider}} in {{cwd}}." } }];
  const { agent, say, model } = await testAgent(t, { script: ok, rows });
  say("hi");
  await agent.whenIdle();
  assert.match(model.requests[0]?.system ?? "", /You run test of scripted in \/workspace\./);
  assert.ok(textOf(dataOf(agent, "assistant/message")[0]?.message as never) === "ok");
});

const unknownCall = () => logOf(...entered, draft.assistant(1, 1, [{ id: "c0", name: "bash" }]), draft.call(1, 1, "c0"));

test("REC-10 an org may let sessions go on whatever is unknown, or never", async (t) => {
  const bold = await testAgent(t, { script: ok, events: unknownCall(), rows: standardRows });
  assert.equal((await recover(bold.agent, { autoContinue: "always" })).continues, true);
  await bold.agent.whenIdle();
  assert.deepEqual(endsOf(bold.agent), ["interrupted", "completed"]);
  const careful = await testAgent(t, { script: ok, events: logOf(...entered) });
  assert.equal((await recover(careful.agent, { autoContinue: "never" })).continues, false);
  await careful.agent.whenIdle();
  assert.deepEqual([endsOf(careful.agent), careful.model.requests.length], [["interrupted"], 0]);
});

test("REC-15 a call that the ledger does not know never began, though its record is in the log", async (t) => {
  const { agent } = await testAgent(t, { script: ok, events: unknownCall(), rows: standardRows });
  assert.equal((await recover(agent, { dispatched: async () => [] })).continues, true);
  await agent.whenIdle();
  assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, "TOOL_NOT_STARTED");
});

test("REC-10 a turn that a person had stopped does not go on after its worker died", async (t) => {
  const { agent, model } = await testAgent(t, { script: ok, events: logOf(...entered) });
  await recover(agent, { status: "stopping" });
  await agent.whenIdle();
  assert.deepEqual([endsOf(agent), model.requests.length], [["aborted"], 0]);
});

test("LOP-5 what waits behind a turn that was cut short stays parked at the next pickup, unless the decision to go on was made", async (t) => {
  const cut = logOf(draft.insert(userMessage("m2")), draft.turnStart(1), {
    type: "turn/end",
    data: { turn: 1, reason: { kind: "aborted", reason: "user" } },
  });
  const parked = await testAgent(t, { script: ok, events: cut });
  await recover(parked.agent, { status: "idle" });
  assert.equal(parked.agent.status, "idle");
  const decided = await testAgent(t, { script: ok, events: cut });
  await recover(decided.agent, { status: "working" });
  await decided.agent.whenIdle();
  assert.deepEqual(endsOf(decided.agent), ["aborted", "completed"]);
});

test("REC-5 REC-6 a second death before the turn that was decided on comes to the same, also where only a steer waits for it", async (t) => {
  const claimed = logOf(draft.insert(userMessage("m2"), "next-step"), draft.turnStart(1), draft.claim("next-step"));
  const first = await testAgent(t, { script: ok, events: claimed });
  const lost = (await recover(first.agent)).continues; // its worker dies right behind this
  const events = first.agent.log.events.slice(0, types(first.agent).indexOf("session/end-seed") + 1);
  const second = await testAgent(t, { script: ok, events });
  await recover(second.agent, { status: "working" });
  await second.agent.whenIdle();
  assert.deepEqual([lost, endsOf(second.agent)], [true, ["interrupted", "completed"]]);
  assert.ok(dataOf(second.agent, "user/message").some(({ id }) => id === "m2"));
});

test("REC-4 REC-6 what a person writes after a stop runs in the next worker when this one is leaving", async (t) => {
  let status = "";
  const write = async ({ patch }: LogBatch) => {
    status = patch.status ?? status;
  };
  const { agent, say } = await testAgent(t, { script: () => ({ toolCalls: [{ name: "gate", arguments: {} }] }), write });
  const gate = gateTool(agent, "gate");
  say("go");
  await gate.started;
  agent.leave();
  agent.cancel("user", { keepInbox: true });
  say("after");
  await agent.whenIdle();
  await agent.log.flush();
  assert.deepEqual(endsOf(agent), ["aborted"]);
  const next = await testAgent(t, { script: ok, events: agent.log.events });
  await recover(next.agent, { status });
  await next.agent.whenIdle();
  assert.deepEqual(endsOf(next.agent), ["aborted", "completed"]);
});

test("PHA-2 a session whose queue is dropped after its stop does not say that it works", async (t) => {
  const shown: string[] = [];
  const write = async ({ patch }: LogBatch) => {
    if (patch.status) shown.push(patch.status);
  };
  const { agent, say } = await testAgent(t, { script: () => ({ toolCalls: [{ name: "gate", arguments: {} }] }), write });
  const gate = gateTool(agent, "gate");
  agent.ctx.on("session/event", ({ event }) => {
    if (event.type === "turn/end") agent.cancel("user"); // while the end is being saved
  });
  say("go");
  await gate.started;
  agent.cancel("user", { keepInbox: true });
  say("after");
  await agent.whenIdle();
  await agent.log.flush();
  assert.deepEqual([endsOf(agent), agent.inbox.isEmpty, shown.at(-1)], [["aborted"], true, "idle"]);
});
