import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError } from "@gantry/contracts";
import type { Agent } from "../src/loop/agent.ts";
import { applyCommand } from "../src/session/apply-command.ts";
import { bindingOf } from "../src/session/prompts.ts";
import { dataOf, gateTool, types, until } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";
import { ends, outcomes, results, waitingAgent } from "./support/waiting.ts";

test("a call that needs a person leaves its step open, holds nothing, and is taken up in the same turn by the answer", async (t) => {
  const { agent, say, prompts, statuses, runs, decide, model } = await waitingAgent(t);
  say("go");
  await agent.whenIdle();
  assert.equal(agent.status, "idle");
  assert.ok(agent.isWaiting);
  assert.equal(statuses.at(-1), "waiting");
  assert.deepEqual(types(agent).slice(-2), ["tool/call", "approval/asked"]);
  assert.deepEqual([prompts.length, prompts[0]?.kind, prompts[0]?.toolName], [1, "approval", "risky"]);
  assert.equal(prompts[0]?.id, dataOf(agent, "approval/asked")[0]?.id);
  assert.deepEqual(runs, []);
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual(runs, ["done"]);
  assert.deepEqual([outcomes(agent), ends(agent)], [["allowed-once"], ["completed"]]);
  assert.equal(dataOf(agent, "approval/decided")[0]?.by, "ada");
  assert.equal(dataOf(agent, "turn/start").length, 1);
  assert.equal(dataOf(agent, "tool/call").length, 1, "it is not announced again");
  assert.equal(model.requests.length, 2);
  assert.equal(statuses.at(-1), "idle");
});

test("LOP-2 a cut-off answer stays the end of its turn when a later step waits for a person, in this worker and in another", async (t) => {
  const script = ({ messages }: { messages: readonly { readonly role: string }[] }) => {
    const answers = messages.filter(({ role }) => role === "assistant").length;
    if (answers === 0) return { text: "half an ans", finish: "length" };
    return answers === 1 ? { toolCalls: [{ name: "risky", arguments: {} }] } : { text: "finished" };
  };
  const begin = async () => {
    const waiting = await waitingAgent(t, { script });
    waiting.agent.ctx.on("agent/turn-stopping", async () => {
      if (dataOf(waiting.agent, "assistant/message").length === 1) waiting.agent.inbox.push("next-step", userMessage("go on"));
    });
    waiting.say("go");
    await waiting.agent.whenIdle();
    assert.ok(waiting.agent.isWaiting);
    return waiting;
  };
  const first = await begin();
  first.decide("allowed-once");
  await first.agent.whenIdle();
  assert.deepEqual([first.runs, ends(first.agent)], [["done"], ["max-tokens"]]);
  const dead = await begin();
  const next = await waitingAgent(t, { script, events: [...dead.agent.log.events] });
  next.prompts.push(...dead.prompts);
  await next.recover();
  next.answer({ kind: "approval", outcome: "allowed-once" }, { binding: bindingFor(next.agent.sessionId) });
  await next.agent.whenIdle();
  assert.deepEqual([next.runs, ends(next.agent)], [["done"], ["max-tokens"]]);
});

test("APR-3 a denial is a result with its own text, and the body never runs", async (t) => {
  const { agent, say, runs, decide } = await waitingAgent(t);
  say("go");
  await agent.whenIdle();
  decide("rejected");
  await agent.whenIdle();
  assert.match(results(agent)[0] ?? "", /the user rejected this call \(it is risky\)/);
  assert.deepEqual([runs, ends(agent)], [[], ["completed"]]);
});

test("calls after the one that waits are not started; those before it settle and are committed (BAT-3)", async (t) => {
  const { agent, say, runs, decide } = await waitingAgent(t, { calls: [{ name: "slow" }, { name: "risky" }, { name: "late" }] });
  const slow = gateTool(agent, "slow");
  gateTool(agent, "late").finish("late");
  say("go");
  await slow.started;
  slow.finish("slow");
  await agent.whenIdle();
  assert.deepEqual(results(agent), ["slow"]);
  assert.deepEqual(
    dataOf(agent, "tool/call").map(({ name }) => name),
    ["slow", "risky"],
  );
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual(results(agent), ["slow", "done", "late"]);
  assert.deepEqual(runs, ["done"]);
});

test("an answer that comes while a call beside it still runs is not lost", async (t) => {
  const host = { "permission-rules": { rules: [{ tool: "asked", decision: "ask" as const }] } };
  const { agent, say, decide, prompts } = await waitingAgent(t, { host, calls: [{ name: "slow" }, { name: "asked" }] });
  const slow = gateTool(agent, "slow", { parallel: true });
  gateTool(agent, "asked", { parallel: true }).finish("asked");
  say("go");
  await until(() => prompts.length === 1, "the question");
  assert.equal(agent.status, "running");
  decide("allowed-once");
  slow.finish("slow");
  await agent.whenIdle();
  assert.deepEqual([results(agent), ends(agent)], [["slow", "asked"], ["completed"]]);
});

test("PHA-2 a stop that comes while the question is being saved ends the turn, also when the answer came before it", async (t) => {
  for (const isAnswered of [false, true]) {
    const saving = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const write = async ({ patch }: { patch: { status?: string } }) => {
      if (patch.status !== "waiting") return;
      saving.resolve();
      await gate.promise;
    };
    const { agent, say, decide, runs } = await waitingAgent(t, { write });
    say("go");
    await saving.promise;
    const { id } = dataOf(agent, "approval/asked")[0] ?? assert.fail();
    if (isAnswered) agent.append({ type: "approval/decided", data: { id, outcome: "allowed-once" } });
    agent.cancel("user");
    gate.resolve();
    await agent.whenIdle();
    assert.deepEqual([outcomes(agent), ends(agent), runs], [[isAnswered ? "allowed-once" : "cancelled"], ["aborted by user"], []]);
    decide("allowed-once");
    await agent.whenIdle();
    assert.deepEqual([runs, ends(agent).length], [[], 1]);
  }
});

test("a message that comes while a person is asked waits, and starts nothing", async (t) => {
  const { agent, say, decide, model } = await waitingAgent(t);
  say("go");
  await agent.whenIdle();
  say("and this");
  say("to the step", "next-step");
  await agent.whenIdle();
  assert.equal(model.requests.length, 1);
  assert.deepEqual([agent.inbox.pending("next-turn").length, agent.inbox.pending("next-step").length], [1, 1]);
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["completed", "completed"]);
  assert.ok(agent.inbox.isEmpty);
});

test("a stop while a person is asked ends the turn: decided as cancelled, the call never ran, the question goes", async (t) => {
  const { agent, say, closed, prompts, runs, decide, statuses } = await waitingAgent(t, { calls: [{ name: "risky" }, { name: "risky" }] });
  say("go");
  await agent.whenIdle();
  say("later");
  applyCommand(agent, { kind: "cancel", keepInbox: true, userId: "ada" });
  await agent.log.flush();
  assert.deepEqual([outcomes(agent), ends(agent)], [["cancelled"], ["aborted by user"]]);
  assert.deepEqual(
    dataOf(agent, "tool/result").map(({ error }) => error?.code),
    ["ABORTED_BEFORE_DISPATCH", "ABORTED_BEFORE_DISPATCH"],
  );
  assert.deepEqual(closed, [prompts[0]?.id]);
  assert.equal(statuses.at(-1), "idle");
  assert.equal(agent.inbox.pending("next-turn").length, 1);
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([runs, ends(agent).length], [[], 1], "a late answer changes nothing");
});

test("a stop while others of the batch still run: real results first, then the pairs of those that never ran (BAT-6)", async (t) => {
  const host = { "permission-rules": { rules: [{ tool: "asked", decision: "ask" as const }] } };
  const { agent, say, prompts, closed } = await waitingAgent(t, { host, calls: [{ name: "slow" }, { name: "asked" }] });
  gateTool(agent, "slow", { parallel: true });
  gateTool(agent, "asked", { parallel: true });
  say("go");
  await until(() => prompts.length === 1, "the question");
  agent.cancel("user");
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "tool/result").map(({ error }) => error?.code),
    ["ABORTED", "ABORTED_BEFORE_DISPATCH"],
  );
  assert.deepEqual([outcomes(agent), ends(agent)], [["cancelled"], ["aborted by user"]]);
  assert.deepEqual(closed, [prompts[0]?.id]);
});

test("closing a session that waits ends its turn; giving it back writes nothing (INT-1)", async (t) => {
  const one = await waitingAgent(t);
  one.say("go");
  await one.agent.whenIdle();
  const length = one.agent.log.events.length;
  await one.agent.stop();
  assert.equal(one.agent.log.events.length, length);
  const other = await waitingAgent(t);
  other.say("go");
  await other.agent.whenIdle();
  other.agent.cancel("disposed");
  assert.deepEqual(ends(other.agent), ["aborted by disposed"]);
});

test("maintenance does not begin while a person is asked", async (t) => {
  const { agent, say } = await waitingAgent(t);
  say("go");
  await agent.whenIdle();
  await assert.rejects(
    async () => agent.runMaintenance(async () => {}),
    (error) => isAppError(error, "CONFLICT"),
  );
});

test("a question that ran out of time counts as unanswered, and the turn goes on", async (t) => {
  const { agent, say, answer, runs } = await waitingAgent(t);
  say("go");
  await agent.whenIdle();
  answer(null, { state: "expired", decidedBy: null });
  await agent.whenIdle();
  assert.deepEqual([outcomes(agent), ends(agent), runs], [["unavailable"], ["completed"], []]);
});

test("SC-P2 an answer for other arguments does not let the call run", async (t) => {
  const { agent, say, answer, runs, prompts } = await waitingAgent(t, { calls: [{ name: "risky", arguments: { what: "this" } }] });
  say("go");
  await agent.whenIdle();
  assert.match(prompts[0]?.binding ?? "", /^[0-9a-f]{64}$/);
  answer({ kind: "approval", outcome: "allowed-once" }, { binding: "0".repeat(64) });
  await agent.whenIdle();
  assert.deepEqual([outcomes(agent), runs], [["unavailable"], []]);
});

test("another worker finds the step where it stands, once and again, and the answer runs the call once (C7, REC-5)", async (t) => {
  const first = await waitingAgent(t);
  first.say("go");
  await first.agent.whenIdle();
  const second = await waitingAgent(t, { events: first.agent.log.events });
  assert.deepEqual(await second.recover(), { interrupted: false, continues: false });
  await second.agent.whenIdle();
  assert.ok(second.agent.isWaiting);
  assert.deepEqual(second.statuses, ["waiting"], "also where the first died before its row said so");
  const third = await waitingAgent(t, { events: second.agent.log.events });
  await third.recover();
  assert.equal(third.agent.log.events.length, second.agent.log.events.length, "nothing is written twice");
  third.prompts.push(...first.prompts);
  // the same session for the binding
  const [prompt] = first.prompts;
  assert.ok(prompt);
  third.answer({ kind: "approval", outcome: "allowed-once" }, { binding: bindingFor(third.agent.sessionId) });
  await third.agent.whenIdle();
  assert.deepEqual([third.runs, ends(third.agent), outcomes(third.agent)], [["done"], ["completed"], ["allowed-once"]]);
});

test("a worker that dies between the answer and the body: the next one runs the call; after the barrier nobody does", async (t) => {
  const first = await waitingAgent(t);
  first.say("go");
  await first.agent.whenIdle();
  const id = first.prompts[0]?.id ?? "";
  const decided = { type: "approval/decided", seq: first.agent.log.events.length, time: 1, data: { id, outcome: "allowed-once" } } as const;
  const events = [...first.agent.log.events, decided];
  const second = await waitingAgent(t, { events });
  await second.recover();
  await second.agent.whenIdle();
  assert.deepEqual([second.runs, ends(second.agent)], [["done"], ["completed"]]);
  const third = await waitingAgent(t, { events });
  third.dispatched.add(dataOf(third.agent, "tool/call").length > 0 ? callSeq(third.agent) : -1);
  assert.deepEqual(await third.recover(), { interrupted: true, continues: false });
  assert.deepEqual([third.runs, ends(third.agent)], [[], ["interrupted"]]);
  assert.equal(dataOf(third.agent, "tool/result")[0]?.error?.code, "TOOL_OUTCOME_UNKNOWN");
});

test("a stop that waits beside an answer that is logged already: the call does not run", async (t) => {
  const first = await waitingAgent(t);
  first.say("go");
  await first.agent.whenIdle();
  const id = first.prompts[0]?.id ?? "";
  const decided = { type: "approval/decided", seq: first.agent.log.events.length, time: 1, data: { id, outcome: "allowed-once" } } as const;
  const second = await waitingAgent(t, { events: [...first.agent.log.events, decided] });
  await second.recover(AbortSignal.abort());
  applyCommand(second.agent, { kind: "cancel", keepInbox: false, userId: "ada" });
  await second.agent.whenIdle();
  assert.deepEqual([second.runs, ends(second.agent)], [[], ["aborted by user"]]);
  assert.equal(dataOf(second.agent, "tool/result")[0]?.error?.code, "ABORTED_BEFORE_DISPATCH");
});

test("a worker that dies while a call beside it still ran closes the turn and withdraws the question", async (t) => {
  const host = { "permission-rules": { rules: [{ tool: "asked", decision: "ask" as const }] } };
  const calls = [{ name: "slow" }, { name: "asked" }];
  const first = await waitingAgent(t, { host, calls });
  gateTool(first.agent, "slow", { parallel: true });
  gateTool(first.agent, "asked", { parallel: true });
  first.say("go");
  await until(() => first.prompts.length === 1, "the question");
  const second = await waitingAgent(t, { host, calls, events: first.agent.log.events });
  await second.recover();
  await second.agent.log.flush();
  assert.deepEqual([outcomes(second.agent), ends(second.agent)[0]], [["cancelled"], "interrupted"]);
  assert.deepEqual(second.closed, [first.prompts[0]?.id]);
});

const callSeq = (agent: Agent) => agent.log.events.find(({ type }) => type === "tool/call")?.seq ?? -1;
const bindingFor = (sessionId: string) => bindingOf({ sessionId, toolName: "risky", arguments: "{}" });

test("a stop that comes while the worker is leaving ends the turn all the same", async (t) => {
  const { agent, say } = await waitingAgent(t);
  say("go");
  await agent.whenIdle();
  agent.leave();
  agent.cancel("user");
  assert.deepEqual([outcomes(agent), ends(agent)], [["cancelled"], ["aborted by user"]]);
});

test("an answer that comes while the worker is leaving is logged and left to the next one", async (t) => {
  const first = await waitingAgent(t);
  first.say("go");
  await first.agent.whenIdle();
  first.agent.leave();
  first.decide("allowed-once");
  await first.agent.whenIdle();
  assert.deepEqual([first.runs, first.agent.isWaiting, first.agent.log.turn], [[], false, 1]);
  const second = await waitingAgent(t, { events: first.agent.log.events });
  await second.recover();
  await second.agent.whenIdle();
  assert.deepEqual([second.runs, ends(second.agent)], [["done"], ["completed"]]);
});
