import { isEvent, type ToolCallBlock } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";
import { labelOf, recordResult, toolCall } from "../loop/record-result.ts";
import { unresolvedCalls } from "./recovery.ts";

export type RecoveryLimits = {
  /** the hold is over: write nothing more */
  ended: AbortSignal;
  /** a person pressed Stop while the session was being taken up */
  stopAsked: AbortSignal;
};

/** How long a world may take to say what became of a call, in milliseconds. A command that runs on is waited for within its own limit. */
const limitMs = 15 * 60_000;

/**
 * Asks the session's world what became of the calls that a dead worker had started (REC-15): a run that goes on is waited for,
 * a finished one gives its true result, and both are logged as if nothing had happened. Answers with the ids of calls that
 * never reached the world. What the world cannot say stays open for the closers. A person's stop ends the command; the end of
 * the hold leaves it running for the next holder.
 */
export async function rejoinCalls(agent: Agent, limits: RecoveryLimits): Promise<Set<string>> {
  const { log } = agent;
  const neverStarted = new Set<string>();
  if (log.step === 0) return neverStarted;
  const tail = log.events.slice(log.events.findLastIndex((event) => isEvent(event, "turn/start")));
  for (const call of unresolvedCalls(tail, log.step)) {
    if (call.callSeq === null || !agent.ctx.tools.find(call.block.name, agent)?.canRejoin) continue;
    const fate = await rejoin(agent, { call: call.block, callSeq: call.callSeq }, limits);
    if (fate === "unknown") break; // results keep the model's order: nothing after an open call can be logged
    if (fate === "never-started") {
      neverStarted.add(call.block.id);
      break;
    }
  }
  return neverStarted;
}

type Started = { call: ToolCallBlock; callSeq: number };

async function rejoin(
  agent: Agent,
  { call, callSeq }: Started,
  { ended, stopAsked }: RecoveryLimits,
): Promise<"logged" | "never-started" | "unknown"> {
  const at = { turn: agent.log.turn, step: agent.log.step };
  const signal = AbortSignal.any([stopAsked, AbortSignal.timeout(limitMs)]);
  agent.showActivity({ kind: "running-tool", since: Date.now(), callId: call.id, name: call.name, label: labelOf(call) });
  const prepared = await agent.ctx.tools.prepare(toolCall(call), { agent, signal, isRejoin: true, ...at });
  const outcome = await (await prepared.run()).commit();
  const code = outcome.error?.code;
  if (code === "RUN_UNKNOWN") return (await isResumed(agent)) ? "never-started" : "unknown";
  if (ended.aborted || (outcome.isError && !(stopAsked.aborted && code === "ABORTED"))) return "unknown";
  recordResult(agent, at, { call, callSeq, outcome });
  return "logged";
}

async function isResumed(agent: Agent): Promise<boolean> {
  try {
    return (await agent.world()).isResumed;
  } catch {
    return false; // no world, no word about what ran in it
  }
}
