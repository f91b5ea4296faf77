import { type EventDraft, isEvent, type Message, type ToolCallBlock } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Agent } from "../loop/agent.ts";
import { planRecovery, type RecoveryPlan } from "./recovery.ts";
import { type RecoveryLimits, rejoinCalls } from "./rejoin-calls.ts";

/** After so many interrupted turns in a row that finished no step, the session waits for a person (AG-172). */
const maxFruitless = 3;

export type Recovery = { interrupted: boolean; continues: boolean };

/**
 * Brings a loaded session back to work (specs/agent-core §9.3): closers, re-queued messages and the seed mark in one batch,
 * then the wake decision of policy `safe` (REC-10). Idempotent: a crash in between leaves nothing or all of it (REC-5).
 * @param betweenTurns called once no turn is open and before any begins: what it appends is in that batch
 */
export async function recoverSession(agent: Agent, limits: RecoveryLimits, betweenTurns = () => {}): Promise<Recovery> {
  const { log } = agent;
  if (log.events.length === 0) {
    betweenTurns();
    return { interrupted: false, continues: false };
  }
  const neverStarted = await rejoinCalls(agent, limits);
  if (limits.ended.aborted) return { interrupted: false, continues: false };
  const plan = planRecovery(log.events, (call) => {
    if (neverStarted.has(call.id)) return "not-started";
    return agent.ctx.tools.find(call.name, agent)?.recovery ? "repeatable" : "unsafe";
  });
  const reachedStep = log.step > 0 || turnHasStep(agent);
  const stopped = limits.stopAsked.aborted;
  for (const closer of plan.closers) log.append(stopped ? asStopped(closer) : closer);
  for (const commandId of [...log.open.commands]) log.append(closeCommand(commandId));
  for (const { target, messages } of plan.requeue) agent.inbox.restore(target, messages);
  betweenTurns();
  const continues = plan.interrupted && !stopped && plan.unknownEffects.length === 0 && plan.fruitless < maxFruitless;
  if (continues && reachedStep) agent.inbox.restore("next-turn", [continuation()]);
  if (!isEvent(log.events[log.events.length - 1] as never, "session/end-seed")) log.append({ type: "session/end-seed", data: {} });
  if (stopped) log.show({ status: "idle", problem: null });
  else if (plan.interrupted && !continues) log.show({ status: "failed", problem: problemOf(plan) });
  if (plan.interrupted) log.show({ interruptions: plan.fruitless });
  await log.flush();
  if (plan.interrupted ? continues : agent.inbox.pending("next-turn").length > 0) agent.wake();
  return { interrupted: plan.interrupted, continues };
}

/** A command whose worker died is over (C15); nobody knows how far it came. */
function closeCommand(commandId: string): EventDraft {
  const text = "The worker stopped before this was done. Ask for it again if it is still needed.";
  return { type: "command/done", data: { commandId, kind: "error", text } };
}

function asStopped(closer: EventDraft): EventDraft {
  return closer.type === "turn/end" ? { ...closer, data: { ...closer.data, reason: { kind: "aborted", reason: "user" } } } : closer;
}

function turnHasStep(agent: Agent): boolean {
  const last = agent.log.events.findLast((event) => isEvent(event, "turn/start") || isEvent(event, "step/start"));
  return last?.type === "step/start";
}

function continuation(): Message {
  const text =
    "The infrastructure restarted and cut the previous turn off. Everything up to that point is above; results that say they are unknown or never started tell which calls were caught in it. Go on with the work from there. Check the state of anything you are unsure of before you repeat it.";
  return {
    id: newId(),
    role: "user",
    content: [{ type: "text", text }],
    source: { kind: "plugin", plugin: "recovery", form: "notice", summary: "Continued after an interruption" },
  };
}

function problemOf(plan: RecoveryPlan): string {
  if (plan.unknownEffects.length > 0) {
    const names = [...new Set(plan.unknownEffects.map((call: ToolCallBlock) => call.name))].join(", ");
    return `The worker stopped while ${names} was running, so its effect is unknown. Check the files, then tell the agent how to go on.`;
  }
  return `The session was interrupted ${plan.fruitless} times in a row without finishing a step. Send a message to try again.`;
}
