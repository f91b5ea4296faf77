import { isAppError, type ToolCallBlock } from "@gantry/contracts";
import type { Ran, ToolOutcome } from "@gantry/tools";
import type { Agent } from "./agent.ts";
import { isReleased } from "./cancel.ts";
import { labelOf, recordResult, toolCall } from "./record-result.ts";
import type { StepAt } from "./step.ts";

/** Tool bodies of one batch that may overlap (BAT-2). */
const maxParallel = 10;

type Slot = { call: ToolCallBlock; callSeq: number; ran: Ran | null };

/**
 * Runs the calls of one assistant message (specs/agent-core §2.7): started and decided in model order, safe bodies overlap,
 * an exclusive call stands alone, results are committed in model order. Answers whether a result concluded the turn (BAT-5).
 * @throws the signal's reason after an abort, once every started body settled and every call has its result (BAT-6)
 */
export async function runBatch(agent: Agent, calls: readonly ToolCallBlock[], at: StepAt): Promise<boolean> {
  const waiting: Slot[] = [];
  const running = new Set<Promise<void>>();
  let concludes = false;
  let exclusive = false;
  const commitReady = async () => {
    for (let head = waiting[0]; head?.ran; head = waiting[0]) {
      waiting.shift();
      const outcome = await head.ran.commit();
      concludes ||= outcome.concludesTurn;
      recordResult(agent, at, { ...head, outcome });
    }
  };
  let next = 0;
  while (next < calls.length || waiting.length > 0) {
    await commitReady();
    if (running.size === 0) exclusive = false;
    const call = calls[next];
    const mode = call && agent.ctx.tools.executionMode(toolCall(call), agent);
    const hasRoom = mode === "exclusive" ? waiting.length === 0 : !exclusive && running.size < maxParallel;
    if (call && hasRoom && !at.signal.aborted) {
      next += 1;
      exclusive = mode === "exclusive";
      const slot: Slot = { call, callSeq: announce(agent, at, call), ran: null };
      waiting.push(slot);
      const { body } = await dispatch(agent, slot, at);
      const done: Promise<void> = body.then((ran) => {
        slot.ran = ran;
        running.delete(done);
      });
      running.add(done);
    } else if (running.size > 0) await Promise.race(running);
    else if (at.signal.aborted && waiting.length === 0) break;
  }
  if (isReleased(at.signal)) at.signal.throwIfAborted();
  for (const call of calls.slice(next))
    recordResult(agent, at, { call, callSeq: announce(agent, at, call), outcome: abortedBeforeDispatch });
  at.signal.throwIfAborted();
  return concludes;
}

function announce(agent: Agent, at: StepAt, call: ToolCallBlock): number {
  const { turn, step } = at;
  return agent.log.append({ type: "tool/call", data: { turn, step, callId: call.id, name: call.name, arguments: call.arguments } }).seq;
}

/** Policy first, then the barrier, then the body (SES-29b): a body never runs without its durable record. Answers with the running body. */
async function dispatch(agent: Agent, { call, callSeq }: Slot, at: StepAt): Promise<{ body: Promise<Ran> }> {
  const { turn, step, signal } = at;
  agent.showActivity({ kind: "running-tool", since: Date.now(), callId: call.id, name: call.name, label: labelOf(call) });
  const prepared = await agent.ctx.tools.prepare(toolCall(call), { agent, signal, turn, step });
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
