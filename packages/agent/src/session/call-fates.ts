import type { Agent } from "../loop/agent.ts";
import { labelOf, noticesOf, resultDraft, toolCall } from "../loop/record-result.ts";
import type { CallFate } from "./closers.ts";
import { lastTurn, type OpenCall, unresolvedCalls } from "./unresolved-calls.ts";

export type Evidence = {
  /** the hold is over: write nothing more */
  readonly ended: AbortSignal;
  /** a person pressed Stop while the session was being taken up */
  readonly stopAsked: AbortSignal;
  /** reads the ledger: calls from a position of the log on whose bodies may have begun (REC-15) */
  readonly dispatched: (from: number) => Promise<readonly number[]>;
};

/** How long a world may take to say what became of a call, in milliseconds. A command that runs on is waited for within its own limit. */
const limitMs = 15 * 60_000;

/**
 * Finds out what became of the calls that a dead worker left open, by call id (REC-15). One that the ledger does not know never began. Of
 * the others the session's world is asked: a run that goes on is waited for, a finished one gives its true result. A person's stop ends the
 * command; the end of the hold leaves it running for the next holder. Only here is a late result taken, and only by who holds the lease (REC-8).
 */
export async function callFates(agent: Agent, evidence: Evidence): Promise<Map<string, CallFate>> {
  const { log } = agent;
  const open = log.step > 0 ? unresolvedCalls(lastTurn(log.events), log.step) : [];
  const first = open.find(({ callSeq }) => callSeq !== null)?.callSeq ?? null;
  const dispatched = new Set(first === null ? [] : await evidence.dispatched(first));
  const fates = new Map<string, CallFate>();
  for (const call of open) {
    const { callSeq } = call;
    const began = callSeq !== null && dispatched.has(callSeq);
    fates.set(call.block.id, began ? await fateOf(agent, { ...call, callSeq }, evidence) : { kind: "not-started" });
    if (evidence.ended.aborted) break;
  }
  return fates;
}

async function fateOf(agent: Agent, call: OpenCall & { callSeq: number }, evidence: Evidence): Promise<CallFate> {
  const tool = agent.ctx.tools.find(call.block.name, agent);
  const unknown: CallFate = { kind: "unknown", isRepeatable: tool?.recovery !== undefined };
  return tool?.canRejoin ? rejoin(agent, call, { ...evidence, unknown }) : unknown;
}

type Asking = Pick<Evidence, "ended" | "stopAsked"> & { readonly unknown: CallFate };

async function rejoin(agent: Agent, call: OpenCall & { callSeq: number }, { ended, stopAsked, unknown }: Asking): Promise<CallFate> {
  const { block, callSeq } = call;
  const at = { turn: agent.log.turn, step: agent.log.step };
  const signal = AbortSignal.any([stopAsked, AbortSignal.timeout(limitMs)]);
  agent.showActivity({ kind: "running-tool", since: Date.now(), callId: block.id, name: block.name, label: labelOf(block) });
  const prepared = await agent.ctx.tools.prepare(toolCall(block), { agent, signal, isRejoin: true, ...at });
  const outcome = await (await prepared.run()).commit();
  const code = outcome.error?.code;
  if (code === "RUN_UNKNOWN") return (await isResumed(agent)) ? { kind: "not-started" } : unknown;
  if (ended.aborted || (outcome.isError && !(stopAsked.aborted && code === "ABORTED"))) return unknown;
  return { kind: "settled", result: resultDraft(at, { call: block, callSeq, outcome }), notices: noticesOf(outcome) };
}

async function isResumed(agent: Agent): Promise<boolean> {
  try {
    return (await agent.world()).isResumed;
  } catch {
    return false; // no world, no word about what ran in it
  }
}
