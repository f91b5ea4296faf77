import { type EventDraft, isEvent, type Message } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Agent } from "../loop/agent.ts";
import { callFates, type Evidence } from "./call-fates.ts";
import { commandCloser } from "./closers.ts";
import { resumption } from "./parked.ts";
import { planRecovery, type RecoveryPlan } from "./recovery.ts";
import { waitsForPerson } from "./waits-for-person.ts";
import { type AutoContinue, isParked, mayContinue, reasonToWait } from "./wake-decision.ts";

export type RecoveryOptions = Evidence & {
  readonly autoContinue: AutoContinue;
  /** what the session's row said when the lease was taken */
  readonly status: string;
  /** the time has come at which the session goes on by itself (CP-56) */
  readonly isDue?: boolean;
  /** false: the open step cannot stay as it is, for the session is about to change what it runs on */
  readonly mayWait?: boolean;
};
export type Recovery = { interrupted: boolean; continues: boolean };

/**
 * Brings a loaded session back to work (specs/agent-core §9.3): the true results of calls, closers, re-queued messages and the seed mark in
 * one batch, then the wake decision (REC-10). Idempotent: a crash in between leaves nothing or all of it (REC-5), and the decision is
 * kept in the row's status, so that the next pickup comes to the same.
 * @param betweenTurns called once no turn is open and before any begins: what it appends is in that batch
 */
export async function recoverSession(agent: Agent, options: RecoveryOptions, betweenTurns = () => {}): Promise<Recovery> {
  const { log, inbox } = agent;
  if (log.events.length === 0) {
    betweenTurns();
    return { interrupted: false, continues: false };
  }
  const mayWait = options.mayWait !== false && options.status !== "stopping";
  if (mayWait && (await waitsForPerson(log, options.dispatched))) return takeUp(agent, options.stopAsked);
  const fates = await callFates(agent, options);
  if (options.ended.aborted) return { interrupted: false, continues: false };
  const plan = planRecovery(log.events, ({ block }) => fates.get(block.id) ?? { kind: "not-started" }, agent.seedLength);
  const stopped = options.stopAsked.aborted || (plan.interrupted && options.status === "stopping");
  const wasParked = isParked(log.events);
  const time = log.events.at(-1)?.time; // REC-14: recovery takes no time in the statistics
  for (const closer of plan.closers) log.append(stopped ? asStopped(closer) : closer, time);
  for (const commandId of [...log.open.commands]) log.append(commandCloser(commandId), time);
  for (const { target, messages } of plan.requeue) inbox.restore(target, messages);
  for (const notice of plan.notices) inbox.push("next-step", notice);
  betweenTurns();
  const continues = plan.interrupted && !stopped && mayContinue(plan, options.autoContinue);
  if (continues && plan.reachedStep) inbox.restore("next-turn", [continuation(plan)]);
  if (!isEvent(log.events[log.events.length - 1] as never, "session/end-seed")) log.append({ type: "session/end-seed", data: {} }, time);
  const resumed = options.isDue && !plan.interrupted && !stopped ? resumption(agent) : null;
  if (resumed) inbox.restore("next-turn", [resumed]);
  if (options.isDue) log.show({ wakeInMs: null });
  // what was decided before is done whatever waits; else only a message for a turn of its own wakes by itself (REC-6)
  const isDecided = options.status === "working" && !inbox.isEmpty;
  const waits = !stopped && (isDecided || (inbox.pending("next-turn").length > 0 && (!wasParked || resumed !== null)));
  const wakes = plan.interrupted ? continues && !inbox.isEmpty : waits;
  if (wakes) log.show({ status: "working", problem: null });
  else if (stopped || (plan.interrupted && continues)) log.show({ status: "idle", problem: null });
  else if (plan.interrupted) log.show({ status: "failed", problem: reasonToWait(plan) });
  if (plan.interrupted) log.show({ interruptions: plan.fruitless });
  await log.flush();
  if (wakes) agent.wake();
  return { interrupted: plan.interrupted, continues };
}

/** The open step stays as it is (architecture §8); with the answer logged already, it goes on. */
async function takeUp(agent: Agent, stopAsked: AbortSignal): Promise<Recovery> {
  const { log } = agent;
  const time = log.events.at(-1)?.time;
  for (const commandId of [...log.open.commands]) log.append(commandCloser(commandId), time);
  if (log.events.at(-1)?.type !== "session/end-seed") log.append({ type: "session/end-seed", data: {} }, time);
  // the worker may have died before the row said so, while another call of the batch still ran
  if (agent.isWaiting) log.show({ status: "waiting" });
  await log.flush();
  if (!stopAsked.aborted) agent.wake(); // else the stop, which is the next command, ends the turn
  return { interrupted: false, continues: false };
}

function asStopped(closer: EventDraft): EventDraft {
  return closer.type === "turn/end" ? { ...closer, data: { ...closer.data, reason: { kind: "aborted", reason: "user" } } } : closer;
}

/** Tells the model that it was cut off, and which calls were caught in it (REC-10). */
function continuation({ unresolved }: RecoveryPlan): Message {
  const about =
    "The infrastructure restarted and cut the previous turn off. Everything up to that point is above; results that say they are unknown or never started tell which calls were caught in it. Go on with the work from there. Check the state of anything you are unsure of before you repeat it.";
  const calls = unresolved.map(
    ({ call, isUnknown }) => `${call.name} (${call.id}), ${isUnknown ? "its effect is unknown" : "never started"}`,
  );
  const text = calls.length > 0 ? `${about}\n\nCalls without a result: ${calls.join("; ")}.` : about;
  return {
    id: newId(),
    role: "user",
    content: [{ type: "text", text }],
    source: { kind: "plugin", plugin: "recovery", form: "notice", summary: "Continued after an interruption" },
  };
}
