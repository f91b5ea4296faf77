import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { type ApprovalOutcome, defineTool } from "@gantry/tools";
import { z } from "zod";
import { dataOf, textOf, types, until } from "./support/agent.ts";
import { askRisky, ends, outcomes, results, waitingAgent } from "./support/waiting.ts";

test("AG-109 policy never: rejected with its own text, the pair is logged, no answerer is called, nobody is asked", async (t) => {
  const { agent, say, prompts, runs } = await waitingAgent(t);
  let asked = 0;
  agent.ctx.on("approval/request", async () => {
    asked += 1;
    return "allowed-once";
  });
  agent.append({ type: "approval/policy", data: { policy: "never" } });
  say("go");
  await agent.whenIdle();
  assert.deepEqual([outcomes(agent), asked, prompts.length, runs], [["rejected"], 0, 0, []]);
  assert.match(results(agent)[0] ?? "", /asks nobody for approval, by its own policy/);
  assert.deepEqual(
    types(agent)
      .filter((type) => type.startsWith("approval/"))
      .slice(1),
    ["approval/asked", "approval/decided"],
  );
});

test("APR-2 an answerer in the process decides at once: nothing waits, and the outcomes have their own texts", async (t) => {
  const texts = new Map<ApprovalOutcome, string>();
  for (const outcome of ["allowed-once", "rejected", "cancelled", "unavailable"] as const) {
    const { agent, say, runs, closed, prompts } = await waitingAgent(t);
    agent.ctx.on("approval/request", async () => outcome);
    say("go");
    await agent.whenIdle();
    assert.deepEqual([outcomes(agent), ends(agent), runs.length], [[outcome], ["completed"], outcome === "allowed-once" ? 1 : 0]);
    assert.deepEqual(closed, [prompts[0]?.id], "people are not asked any more");
    texts.set(outcome, results(agent)[0] ?? "");
  }
  assert.equal(new Set(texts.values()).size, 4);
});

test("AG-223 what is no outcome, and an answerer that fails, count as unavailable and never as allowed", async (t) => {
  const answers: (() => Promise<unknown>)[] = [
    async () => ({ outcome: "allowed-once" }),
    async () => true,
    () => Promise.reject(new Error("no")),
  ];
  for (const answer of answers) {
    const { agent, say, runs } = await waitingAgent(t);
    agent.ctx.on("approval/request", answer as never);
    say("go");
    await agent.whenIdle();
    assert.deepEqual([outcomes(agent), runs], [["unavailable"], []]);
  }
});

test("AG-223 an observer of the log that throws does not break the pair", async (t) => {
  const { agent, say, decide, runs } = await waitingAgent(t);
  agent.ctx.on("session/event", ({ event }) => {
    if (event.type === "approval/asked") throw new Error("observer");
  });
  say("go");
  await agent.whenIdle();
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([outcomes(agent), runs], [["allowed-once"], ["done"]]);
});

test("AG-223 a call without an agent is denied without asking", async (t) => {
  const { agent, prompts } = await waitingAgent(t, { host: { "permission-rules": { rules: [{ tool: "*", decision: "ask" }] } } });
  const signal = new AbortController().signal;
  const prepared = await agent.ctx.tools.prepare({ callId: "c", name: "risky", arguments: "{}" }, { signal, turn: 1, step: 1 });
  const outcome = await (await prepared.run()).commit();
  assert.ok(outcome.isError && !prepared.isParked);
  assert.deepEqual([types(agent), prompts], [[], []]);
});

test("APR-1 outside a turn nothing is asked or logged", async (t) => {
  const { agent, root } = await waitingAgent(t);
  const approval = agent.ctx.get("approval") ?? assert.fail();
  const question = { agent, toolName: "risky", callId: "c", arguments: {}, signal: new AbortController().signal, mayPark: true };
  await assert.rejects(approval.request(question), (error) => isAppError(error, "CONFLICT"));
  assert.deepEqual([types(agent), root.agentCount], [[], 1]);
});

test("APR-2 a stop while somebody in the process thinks: cancelled, and the late answer is dropped", async (t) => {
  const { agent, say, runs } = await waitingAgent(t);
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<"allowed-once">();
  agent.ctx.on("approval/request", () => {
    asked.resolve();
    return late.promise;
  });
  say("go");
  await asked.promise;
  agent.cancel("user");
  await agent.whenIdle();
  late.resolve("allowed-once");
  await late.promise;
  assert.deepEqual([outcomes(agent), runs, ends(agent)], [["cancelled"], [], ["aborted by user"]]);
  assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, "ABORTED_BEFORE_DISPATCH");
});

test("a person may answer while somebody in the process still thinks", async (t) => {
  const { agent, say, runs, prompts, decide } = await waitingAgent(t);
  const never = Promise.withResolvers<"rejected">();
  agent.ctx.on("approval/request", () => never.promise);
  say("go");
  await until(() => prompts.length === 1, "the question");
  decide("allowed-once");
  never.resolve("rejected");
  await agent.whenIdle();
  assert.deepEqual([outcomes(agent), runs], [["allowed-once"], ["done"]]);
});

test("a call from inside a program cannot be left unfinished: nobody in the process, so it is refused, and the pair is logged", async (t) => {
  const { agent, say, runs, prompts } = await waitingAgent(t, { calls: [{ name: "program" }] });
  agent.ctx.tools.register(
    defineTool({
      name: "program",
      description: "calls another tool",
      parameters: z.object({}),
      output: z.object({ text: z.string() }),
      execute: async (_args, { execution, signal }) => {
        const { turn, step } = execution;
        const call = { callId: `${execution.callId}:1`, name: "risky", arguments: "{}" };
        const prepared = await agent.ctx.tools.prepare(call, { agent, signal, turn, step, parent: execution });
        const outcome = await (await prepared.run()).commit();
        return { text: outcome.content.map((block) => ("text" in block ? block.text : "")).join("") };
      },
      render: ({ text }) => text,
    }),
  );
  say("go");
  await agent.whenIdle();
  assert.match(results(agent)[0] ?? "", /nobody could be asked for approval/);
  assert.deepEqual([outcomes(agent), runs, prompts, ends(agent)], [["unavailable"], [], [], ["completed"]]);
});

test("an answer holds for one call: the next one of the same kind asks again", async (t) => {
  const { agent, say, decide, prompts, runs } = await waitingAgent(t, { calls: [{ name: "risky" }, { name: "risky" }] });
  say("go");
  await agent.whenIdle();
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([runs.length, agent.isWaiting, prompts.length], [1, true, 2]);
  decide("rejected");
  await agent.whenIdle();
  assert.deepEqual([outcomes(agent), runs.length], [["allowed-once", "rejected"], 1]);
  assert.equal(new Set(prompts.map(({ id }) => id)).size, 2);
});

test("APR-4 a question that the log does not take denies the call", async (t) => {
  const { agent, say, runs } = await waitingAgent(t);
  const { append } = agent.log;
  agent.log.append = function (draft, ...rest) {
    if (draft.type === "approval/asked") throw new Error("not taken");
    return append.call(this, draft, ...rest);
  };
  say("go");
  await agent.whenIdle();
  assert.deepEqual([runs, outcomes(agent), results(agent).length], [[], [], 1]);
});

test("CTX-1 the model is told whether people are asked, and of a change at its next step", async (t) => {
  const { agent, say, model } = await waitingAgent(t, { calls: [{ name: "free" }], host: askRisky });
  say("go");
  await agent.whenIdle();
  const facts = () =>
    dataOf(agent, "user/message")
      .filter(({ source }) => source.kind === "plugin" && source.plugin === "system-prompt")
      .map(textOf);
  assert.match(facts()[0] ?? "", /Approvals: a call that needs a permission asks the user/);
  agent.ctx.get("permissions")?.set(agent, "danger-full-access");
  say("on");
  await agent.whenIdle();
  assert.equal(facts().length, 2);
  assert.match(facts()[1] ?? "", /full access inside the container[\s\S]*nobody is asked/);
  assert.ok(model.requests.length > 2);
});
