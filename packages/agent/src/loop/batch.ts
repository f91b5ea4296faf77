import { isAppError, type ToolCallBlock } from "@gantry/contracts";
import type { Ran, ToolOutcome } from "@gantry/tools";
import { withdrawPrompts } from "../session/prompts.ts";
import type { OpenCall } from "../session/unresolved-calls.ts";
import type { Agent } from "./agent.ts";
import { isReleased } from "./cancel.ts";
import { labelOf, recordResult, toolCall } from "./record-result.ts";
import { Waiting } from "./waiting.ts";

type Slot = { call: ToolCallBlock; callSeq: number; ran: Ran | null; isParked: boolean };
export type BatchAt = { readonly turn: number; readonly step: number; readonly signal: AbortSignal };

/**
 * Runs the calls of one assistant message (specs/agent-core §2.7): started and decided in model order, safe bodies overlap,
 * an exclusive call stands alone, results are committed in model order. Answers whether a result concluded the turn (BAT-5).
 * A call that waits for a person lets nothing more start; what runs beside it settles and is committed. Calls of a step that waited are
 * given with their place in the log and are not announced again.
 * @throws Waiting when only the answer is missing; the signal's reason after an abort, once every started body settled and every call has
 *   its result (BAT-6)
 */
export async function runBatch(agent: Agent, calls: readonly OpenCall[], at: BatchAt): Promise<boolean> {
  const running = new Set<Promise<void>>();
  try {
    return await schedule(agent, calls, at, running);
  } catch (error) {
    await Promise.allSettled(running); // whatever broke: no body outlives its turn (BAT-7)
    throw error;
  }
}

/** @param running the bodies that have started and not settled */
async function schedule(agent: Agent, calls: readonly OpenCall[], at: BatchAt, running: Set<Promise<void>>): Promise<boolean> {
  const waiting: Slot[] = [];
  let concludes = false;
  let exclusive = false;
  const commit = async (slot: Slot, ran: Ran) => {
    waiting.splice(waiting.indexOf(slot), 1);
    const outcome = await ran.commit();
    concludes ||= outcome.concludesTurn;
    recordResult(agent, at, { ...slot, outcome });
  };
  const commitReady = async () => {
    for (let head = waiting[0]; head?.ran; head = waiting[0]) await commit(head, head.ran);
  };
  const start = async (slot: Slot) => {
    slot.isParked = false;
    const { body } = await dispatch(agent, slot, at);
    if (!body) {
      slot.isParked = true;
      return;
    }
    const done: Promise<void> = body.then((ran) => {
      if (ran.isParked) slot.isParked = true;
      else slot.ran = ran;
      running.delete(done);
    });
    running.add(done);
    done.catch(() => {}); // met at the next wait for the pool
  };
  let next = 0;
  while (next < calls.length || waiting.length > 0) {
    await commitReady();
    if (waiting.length === 0) exclusive = false; // its post stage is over too
    const parked = waiting.find((slot) => slot.isParked);
    if (parked && running.size > 0) await Promise.race(running);
    else if (parked) {
      // what settled behind it cannot wait for an answer of days
      for (const slot of [...waiting]) if (slot.ran) await commit(slot, slot.ran);
      if (at.signal.aborted) break;
      if (agent.isWaiting) throw new Waiting();
      agent.takeMode();
      await start(parked);
    }
    if (parked) continue;
    const call = calls[next];
    const mode = call && agent.ctx.tools.executionMode(toolCall(call.block), agent);
    const hasRoom = mode === "exclusive" ? waiting.length === 0 : !exclusive && running.size < agent.maxParallelToolCalls;
    if (call && hasRoom && !at.signal.aborted) {
      next += 1;
      exclusive = mode === "exclusive";
      if (running.size === 0) agent.takeMode();
      const slot: Slot = { call: call.block, callSeq: call.callSeq ?? announce(agent, at, call.block), ran: null, isParked: false };
      waiting.push(slot);
      await start(slot);
    } else if (running.size > 0) await Promise.race(running);
    else if (at.signal.aborted && waiting.length === 0) break;
  }
  if (isReleased(at.signal)) at.signal.throwIfAborted();
  if (waiting.length > 0) withdrawPrompts(agent.log);
  for (const { call, callSeq } of waiting) recordResult(agent, at, { call, callSeq, outcome: abortedBeforeDispatch });
  for (const call of calls.slice(next)) abortCall(agent, at, call);
  at.signal.throwIfAborted();
  return concludes;
}

/** The pair of a call that will not start any more (BAT-6). */
export function abortCall(agent: Agent, at: Pick<BatchAt, "turn" | "step">, { block, callSeq }: OpenCall): void {
  recordResult(agent, at, { call: block, callSeq: callSeq ?? announce(agent, at, block), outcome: abortedBeforeDispatch });
}

function announce(agent: Agent, at: Pick<BatchAt, "turn" | "step">, call: ToolCallBlock): number {
  const { turn, step } = at;
  return agent.log.append({ type: "tool/call", data: { turn, step, callId: call.id, name: call.name, arguments: call.arguments } }).seq;
}

/** Policy first, one call after the other (BAT-3), then the barrier, then the body (SES-29b): a body never runs without its durable record. Answers with the running body; none while a person is asked. */
async function dispatch(agent: Agent, { call, callSeq }: Slot, at: BatchAt): Promise<{ body: Promise<Ran> | null }> {
  const { turn, step, signal } = at;
  agent.showActivity({ kind: "running-tool", since: Date.now(), callId: call.id, name: call.name, label: labelOf(call) });
  const prepared = await agent.ctx.tools.prepare(toolCall(call), { agent, signal, turn, step });
  if (prepared.isParked) return { body: null };
  try {
    await agent.log.dispatch(callSeq);
  } catch (error) {
    if (isAppError(error, "LEASE_LOST")) throw error;
    return { body: Promise.resolve(notRecorded) };
  }
  return { body: prepared.run() };
}

const abortedBeforeDispatch: ToolOutcome = {
  content: [{ type: "text", text: "Error: tool call aborted before dispatch" }],
  isError: true,
  error: { name: "AbortError", code: "ABORTED_BEFORE_DISPATCH" },
  additionalContexts: [],
  concludesTurn: false,
};

/** The body did not run because its record could not be made durable (AG-019). */
const notRecorded: Ran = {
  commit: () =>
    Promise.resolve({
      ...abortedBeforeDispatch,
      content: [{ type: "text", text: "Error: the call was not run because its record could not be saved. Try it again." }],
      error: { name: "CheckpointError", code: "TOOL_NOT_STARTED" },
    }),
};
