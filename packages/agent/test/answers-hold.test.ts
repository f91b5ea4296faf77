import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxModeName } from "@gantry/contracts";
import { type PreToolDecision, toolBash } from "@gantry/tools";
import type { Agent } from "../src/loop/agent.ts";
import { dataOf, gateTool } from "./support/agent.ts";
import { ends, outcomes, results, waitingAgent } from "./support/waiting.ts";

/** What the policy says of `risky`, as it may change while people think. */
function changingPolicy(agent: Agent, first: PreToolDecision) {
  const policy = { says: first };
  agent.ctx.on("tools/pre-execute", async (_execution, next) => {
    const decision = await next();
    return decision.kind === "allow" ? policy.says : decision;
  });
  return policy;
}
const ask = (reason: string): PreToolDecision => ({ kind: "ask", reason });

test("APR-2 SC-P2 a yes is for the reason that was shown: for another one the call asks again", async (t) => {
  const { agent, say, decide, prompts, runs } = await waitingAgent(t, { host: {} });
  const policy = changingPolicy(agent, ask("it writes"));
  say("go");
  await agent.whenIdle();
  policy.says = ask("escalate sandbox to danger-full-access: to delete");
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([runs, agent.isWaiting, prompts.length], [[], true, 2]);
  assert.deepEqual(
    dataOf(agent, "approval/asked").map(({ reason }) => reason),
    ["it writes", "escalate sandbox to danger-full-access: to delete"],
  );
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([runs, ends(agent), outcomes(agent)], [["done"], ["completed"], ["allowed-once", "allowed-once"]]);
});

test("ESC-1 ESC-2 what a person allowed is not wider any more when the session is on that mode meanwhile: the call says so and does not run", async (t) => {
  const rules = [{ tool: "bash", decision: "ask", reason: "commands are looked at" }];
  const wider = { sandbox_permissions: "workspace-write", justification: "to write" };
  const { agent, say, decide, prompts } = await waitingAgent(t, {
    host: { "permission-rules": { rules } },
    rows: [{ id: "tool-bash", name: "tool-bash", config: toolBash.Config.parse({}) as never }] as never,
    calls: [{ name: "bash", arguments: { command: "id", description: "Show the user", ...wider } }],
  });
  agent.ctx.get("permissions")?.set(agent, "read-only");
  say("go");
  await agent.whenIdle();
  assert.equal(dataOf(agent, "approval/asked")[0]?.reason, "escalate sandbox to workspace-write: to write");
  agent.ctx.get("permissions")?.set(agent, "workspace-write");
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([prompts.length, ends(agent)], [1, ["completed"]]);
  assert.match(results(agent)[0] ?? "", /must be wider than the session's mode, which is workspace-write/);
});

test("APR-3 a no stays a no when the policy that asked is gone meanwhile, and so does no answer in time", async (t) => {
  for (const said of ["rejected", null] as const) {
    const { agent, say, answer, runs } = await waitingAgent(t, { host: {} });
    const policy = changingPolicy(agent, ask("it writes"));
    say("go");
    await agent.whenIdle();
    policy.says = { kind: "allow" };
    if (said) answer({ kind: "approval", outcome: said });
    else answer(null, { state: "expired", decidedBy: null });
    await agent.whenIdle();
    assert.deepEqual([runs, ends(agent)], [[], ["completed"]]);
    assert.match(results(agent)[0] ?? "", said ? /the user rejected this call/ : /nobody could be asked for approval/);
  }
});

test("PRM-5 a call that was allowed works in a world of the mode that holds when it starts", async (t) => {
  const opened: SandboxModeName[] = [];
  const { agent, say, decide } = await waitingAgent(t, {
    host: { "permission-rules": { rules: [{ tool: "looks", decision: "ask" }] } },
    calls: [{ name: "first" }, { name: "looks" }],
    world: (_agent, mode) => {
      opened.push(mode);
      return Promise.reject(new Error("no engine"));
    },
  });
  gateTool(agent, "first").finish();
  gateTool(agent, "looks").finish();
  agent.ctx.on("tools/execute", async (execution, _dispatch, next) => {
    if (execution.name === "looks") await agent.world().catch(() => {});
    return next();
  });
  say("go");
  await agent.whenIdle();
  opened.length = 0;
  agent.ctx.get("permissions")?.set(agent, "read-only");
  decide("allowed-once");
  await agent.whenIdle();
  assert.deepEqual([[...new Set(opened)], ends(agent)], [["read-only"], ["completed"]]);
});

test("REC-10 a turn that a person stopped ends as stopped, also when its worker died while the question still stood", async (t) => {
  const first = await waitingAgent(t);
  first.say("go");
  await first.agent.whenIdle();
  const second = await waitingAgent(t, { events: first.agent.log.events });
  await second.recover(undefined, "stopping");
  await second.agent.whenIdle();
  assert.deepEqual([outcomes(second.agent), ends(second.agent), second.agent.isWaiting], [["cancelled"], ["aborted by user"], false]);
  assert.deepEqual(second.closed, [first.prompts[0]?.id]);
});

test("BAT-5 a result that concludes the turn does so although another call of its batch waited for a person", async (t) => {
  for (const isReloaded of [false, true]) {
    const calls = [{ name: "last" }, { name: "risky" }];
    const first = await waitingAgent(t, { calls });
    gateTool(first.agent, "last", { concludes: true }).finish();
    first.say("go");
    await first.agent.whenIdle();
    assert.equal(results(first.agent).length, 1);
    const taken = isReloaded ? await waitingAgent(t, { calls, events: first.agent.log.events }) : first;
    if (isReloaded) {
      taken.prompts.push(...first.prompts);
      await taken.recover();
    }
    taken.decide("rejected");
    await taken.agent.whenIdle();
    assert.deepEqual([ends(taken.agent), taken.model.requests.length], [["completed"], isReloaded ? 0 : 1], `reloaded: ${isReloaded}`);
  }
});
