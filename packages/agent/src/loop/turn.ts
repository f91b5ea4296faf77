import { isAppError, isEvent, type Message, type TurnEndReason } from "@gantry/contracts";
import { scopeTarget } from "@gantry/kernel";
import type { SystemPromptResult } from "@gantry/tools";
import { withdrawPrompts } from "../session/prompts.ts";
import { lastTurn } from "../session/unresolved-calls.ts";
import type { Agent } from "./agent.ts";
import { causeOf, isReleased } from "./cancel.ts";
import { contextMessage } from "./contexts.ts";
import type { PreStepDecision } from "./events.ts";
import { runStep, StepFailed, type StepResult, takeUpStep } from "./step.ts";
import { Waiting } from "./waiting.ts";

/** `completed`: the next waiting message may run at once. `parked`: what waits stays until somebody wakes the agent (LOP-5). */
export type TurnOutcome = "completed" | "parked";

/**
 * One turn (specs/agent-core §2.5): from `turn/start` to `turn/end`, whatever happens between. A turn whose step waits for a person is left
 * open, and taken up in that step by the next call (architecture §8). @throws AppError LEASE_LOST when fenced
 */
export async function runTurn(agent: Agent, signal: AbortSignal): Promise<TurnOutcome> {
  const { log } = agent;
  const isOpen = log.step > 0;
  const turn = isOpen ? log.turn : log.lastTurn + 1;
  if (!isOpen) log.append({ type: "turn/start", data: { turn } });
  log.show({ status: "working", problem: null, wakeInMs: null });
  let end: { reason: TurnEndReason; outcome: TurnOutcome };
  try {
    end = await runSteps(agent, turn, signal);
  } catch (error) {
    if (log.isFenced || isAppError(error, "LEASE_LOST")) throw error;
    if (error instanceof Waiting) return layDown(agent);
    end = { reason: reasonOf(error, signal), outcome: "parked" };
  }
  if (isReleased(signal)) return "parked";
  withdrawPrompts(log);
  agent.settleWakes();
  log.append({ type: "turn/end", data: { turn, reason: end.reason } });
  log.show({ status: end.reason.kind === "error" ? "failed" : agent.statusAfterTurn(), problem: problemOf(end.reason) });
  if (end.reason.kind === "error")
    agent.ctx.emit(scopeTarget(agent), "agent/error", { agent, turn, step: log.lastStep, error: end.reason.error });
  await log.flush().catch(() => {
    // the events stay in memory and the next write takes them; the barrier before the next model call meets the failure
  });
  return end.outcome;
}

/** Nobody holds the session while it waits: what it waits for is durable when this resolves, or the next holder finds the step as a dead one's. */
async function layDown({ log }: Agent): Promise<TurnOutcome> {
  log.show({ status: "waiting" });
  await log.flush().catch(() => {
    // whoever gives the session back flushes again and meets the failure
  });
  return "parked";
}

/** Steps until one ends the turn and nothing waits for another (LOP-1 to LOP-3): a steer never starts a turn while one is open. */
async function runSteps(agent: Agent, turn: number, signal: AbortSignal): Promise<{ reason: TurnEndReason; outcome: TurnOutcome }> {
  // sticky: neither a continuation that a listener forces nor a wait for a person hides it
  let isCut = agent.log.step > 0 && lastTurn(agent.log.events).some((event) => isEvent(event, "assistant/message") && event.data.cutOff);
  let ends: "completed" | "max-tokens" | null = null;
  let target: "next-turn" | "next-step" = "next-turn";
  for (let step = agent.log.step || 1; ; step += 1) {
    agent.leaveIfAsked();
    let result: StepResult;
    if (agent.log.step > 0) result = await takeUpStep(agent, { turn, step, signal });
    else {
      signal.throwIfAborted();
      const claimed = agent.inbox.claim(target);
      const { decision, assembly } = await preStep(agent, { turn, step, claimed, signal });
      signal.throwIfAborted();
      if (decision.kind === "reject") return { reason: { kind: "blocked", detail: decision.reason }, outcome: "parked" };
      if (decision.messages.length === 0) {
        if (step === 1) return { reason: { kind: "completed" }, outcome: "parked" };
        if (ends) return { reason: { kind: ends }, outcome: "completed" };
      }
      agent.log.append({ type: "step/start", data: { turn, step } });
      for (const message of decision.messages) agent.log.append({ type: "user/message", surfaceOp: "append", data: message });
      result = await runStep(agent, { turn, step, signal, assembly });
    }
    isCut ||= result === "max-tokens";
    // tools owe the model another call also after an answer that was cut off (LOP-1)
    ends = result === "continue" ? null : isCut ? "max-tokens" : result;
    if (ends && agent.inbox.pending("next-step").length === 0) {
      await agent.ctx.serial(scopeTarget(agent), "agent/turn-stopping", { agent, turn });
    }
    signal.throwIfAborted();
    if (ends && agent.inbox.pending("next-step").length === 0) return { reason: { kind: ends }, outcome: "completed" };
    target = "next-step";
  }
}

type Entry = { turn: number; step: number; claimed: readonly Message[]; signal: AbortSignal };

/** The results of the step before and the claim are durable before anybody decides on the next step (SES-29c). */
async function preStep(
  agent: Agent,
  { turn, step, claimed, signal }: Entry,
): Promise<{ decision: PreStepDecision; assembly: SystemPromptResult }> {
  // the prompt is put together while the database writes: what stands in it was decided by nobody yet
  const [assembly] = await Promise.all([agent.ctx.systemPrompt.assemble({ scope: agent.scope, signal }), agent.log.flush()]);
  signal.throwIfAborted();
  const withFacts = () => {
    const context = contextMessage(agent, assembly.contexts);
    return context ? [...claimed, context] : claimed;
  };
  const input = { agent, turn, step, messages: withFacts(), signal };
  // looked up again: a compaction on the way may have hidden the facts that the model had (CMP-10)
  const enter: () => Promise<PreStepDecision> = () =>
    Promise.resolve({ kind: "enter", messages: claimed.length > 0 || step > 1 ? withFacts() : [] });
  const decision = await agent.ctx.waterfall(scopeTarget(agent), "agent/pre-step", input, enter);
  return { decision, assembly };
}

function reasonOf(error: unknown, signal: AbortSignal): TurnEndReason {
  const cause = signal.aborted ? causeOf(signal) : "released";
  if (cause !== "released") return { kind: "aborted", reason: cause };
  if (error instanceof StepFailed) return { kind: "error", error: error.failure };
  return { kind: "error", error: { message: causeChain(error), code: "UNKNOWN" } };
}

/** The messages of an error and all its causes, outermost first (LOP-4). */
function causeChain(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error; at instanceof Error && parts.length < 8; at = at.cause) parts.push(at.message);
  return parts.length > 0 ? parts.join(": ") : String(error);
}

function problemOf(reason: TurnEndReason): string | null {
  return reason.kind === "error" ? reason.error.message : null;
}
