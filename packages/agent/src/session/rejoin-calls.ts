import { isEvent } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";
import { recordResult, toolCall } from "../loop/record-result.ts";
import { type OpenCall, unresolvedCalls } from "./recovery.ts";

/** How long a world may take to say what became of a call, in milliseconds. A command that runs on is waited for within its own limit. */
const limitMs = 15 * 60_000;

/**
 * Asks the session's world what became of the calls that a dead worker had started (REC-15): a run that goes on is waited for,
 * a finished one gives its true result, and both are logged as if nothing had happened. Answers with the ids of calls that
 * never reached the world. What the world cannot say stays open for the closers.
 */
export async function rejoinCalls(agent: Agent): Promise<Set<string>> {
  const { log } = agent;
  const neverStarted = new Set<string>();
  if (log.step === 0) return neverStarted;
  const tail = log.events.slice(log.events.findLastIndex((event) => isEvent(event, "turn/start")));
  for (const call of unresolvedCalls(tail, log.step)) {
    if (call.callSeq === null || !agent.ctx.tools.find(call.block.name, agent)?.canRejoin) continue;
    const fate = await rejoin(agent, call, call.callSeq);
    if (fate === "unknown") break; // results keep the model's order: nothing after an open call can be logged
    if (fate === "never-started") {
      neverStarted.add(call.block.id);
      break;
    }
  }
  return neverStarted;
}

async function rejoin(agent: Agent, { block }: OpenCall, callSeq: number): Promise<"logged" | "never-started" | "unknown"> {
  const at = { turn: agent.log.turn, step: agent.log.step };
  const signal = AbortSignal.timeout(limitMs);
  agent.showActivity({ kind: "running-tool", since: Date.now(), callId: block.id, name: block.name, label: "" });
  const prepared = await agent.ctx.tools.prepare(toolCall(block), { agent, signal, isRejoin: true, ...at });
  const outcome = await (await prepared.run()).commit();
  const code = outcome.error?.code;
  if (code === "RUN_UNKNOWN") return (await isResumed(agent)) ? "never-started" : "unknown";
  if (outcome.isError) return "unknown";
  recordResult(agent, at, { call: block, callSeq, outcome });
  return "logged";
}

async function isResumed(agent: Agent): Promise<boolean> {
  try {
    return (await agent.world()).isResumed;
  } catch {
    return false; // no world, no word about what ran in it
  }
}
