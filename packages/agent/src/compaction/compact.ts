import { type EventData, estimateMessage } from "@gantry/contracts";
import type { Llm } from "@gantry/llm";
import { newId } from "@gantry/platform";
import type { Agent } from "../loop/agent.ts";
import { isReleased } from "../loop/cancel.ts";
import type { SurfaceEvent } from "../session/surface.ts";
import { tokensOf } from "../token-meter/context-fold.ts";
import { type CompactionConfig, summaryRoute } from "./config.ts";
import { CompactionError } from "./error.ts";
import { isSummaryMessage, selectRange } from "./range.ts";
import { type Summary, summarise } from "./summarise.ts";
import { summaryMessage } from "./summary-text.ts";

export type CompactOptions = {
  readonly llm: Llm;
  readonly config: CompactionConfig;
  /** newest part that stays, tokens */
  readonly retainTokens: number;
  /** the human command that asked for it, between turns; left out: the loop did, in its open turn */
  readonly commandId?: string;
  readonly signal: AbortSignal;
};
/** `seq`: the event that holds the summary. Tokens are estimates of what was hidden. */
export type Compacted = { readonly items: number; readonly tokens: number; readonly seq: number };
type Bracket = EventData<"compaction/start">;
type Plan = CompactOptions & { readonly range: readonly SurfaceEvent[]; readonly tokens: number; readonly bracket: Bracket };

/**
 * One compaction as a transaction (CMP-6): bracket, summary, replacement; whatever fails before the replacement leaves the history as it
 * was. Null: there is nothing to gain, and nothing is logged.
 * @throws CompactionError
 */
export async function compact(agent: Agent, options: CompactOptions): Promise<Compacted | null> {
  const { log } = agent;
  const openStepSeq = log.step > 0 ? (log.last("step/start")?.seq ?? null) : null;
  const range = selectRange(log.surface.nodes, { retainTokens: options.retainTokens, openStepSeq });
  const tokens = (range ?? []).reduce((sum, node) => sum + tokensOf(node), 0);
  if (!range || tokens <= estimateMessage(summaryMessage("", ""))) return null;
  // a summary that is still too long may be summed up again, but no person asks for that
  if (options.commandId && range.every(isSummaryMessage)) return null;
  const command = options.commandId ? { sourceCommandId: options.commandId } : {};
  const bracket: Bracket = { compactionId: newId(), ...command, turn: log.turn || null };
  const plan = { ...options, range, tokens, bracket };
  const start = log.append({ type: "compaction/start", data: bracket }).seq;
  const summary = await attempt(agent, plan);
  const seq = commit(agent, plan, { start, summary });
  await log.flush().catch((cause: unknown) => {
    throw new CompactionError("persistence", "The summary could not be saved yet. It is tried again with the next message.", { cause });
  });
  agent.emitStart("compact");
  if (options.signal.aborted) throw new CompactionError("cancelled", "The conversation was summed up before the stop arrived.");
  return { items: range.length, tokens, seq };
}

/** The summary, checked against what it is to replace. A failure closes the bracket. */
async function attempt(agent: Agent, plan: Plan): Promise<Summary> {
  const { signal, bracket } = plan;
  const isStable = watchSurface(agent, plan);
  try {
    const summary = await summarise(agent, { ...plan, route: summaryRoute(plan.config, sessionRoute(agent)) });
    if (estimateMessage(summaryMessage(summary.text, bracket.compactionId)) >= plan.tokens)
      throw new CompactionError("summary", "The summary is not shorter than what it sums up.");
    if (!isStable()) throw new CompactionError("changed", "The conversation changed while it was summed up.");
    return summary;
  } catch (error) {
    const failure = toFailure(error, signal);
    // a released session goes on elsewhere: nothing is written here, and the next holder's end-seed makes the bracket dead (CMP-9)
    if (!agent.log.isFenced && !isReleased(signal)) close(agent, bracket, failure);
    throw failure;
  }
}

/** Automatic: nothing on the surface may have changed; asked for by a person: the part to be hidden may not. */
function watchSurface({ log: { surface } }: Agent, { range, commandId }: Plan): () => boolean {
  const { length } = surface.nodes;
  const generation = surface.replaceGeneration;
  return () => {
    const isSpanSame = range.every((node, index) => surface.nodes[index] === node);
    return commandId ? isSpanSame : isSpanSame && surface.nodes.length === length && surface.replaceGeneration === generation;
  };
}

/** Record, replacement and end in one synchronous run, so in one batch (SES-32). */
function commit(agent: Agent, plan: Plan, { start, summary }: { start: number; summary: Summary }): number {
  const { range, tokens, bracket, config } = plan;
  const seqs = range.map(({ seq }) => seq);
  const shadowedRange = { start: seqs[0] as number, end: seqs.at(-1) as number };
  const { text, usage } = summary;
  try {
    const record = agent.log.append({
      type: "compaction/summary",
      data: {
        ...bracket,
        ...{ shadowedRange, shadowedSeqs: seqs, shadowedTokenCount: tokens, summary: text },
        ...summaryRoute(config, sessionRoute(agent)),
        ...(usage ? { usage } : {}),
      },
    });
    agent.log.append({
      type: "user/message",
      surfaceOp: { op: "replace", ...shadowedRange },
      sourceEventSeqs: [...new Set([...seqs, start, record.seq])].sort((a, b) => a - b),
      data: summaryMessage(text, bracket.compactionId),
    });
    agent.log.append({ type: "compaction/end", data: bracket });
    return record.seq;
  } catch (cause) {
    throw new CompactionError("commit", "The log did not take the summary.", { cause });
  }
}

function close(agent: Agent, bracket: Bracket, failure: CompactionError): void {
  agent.log.append({ type: "compaction/end", data: { ...bracket, error: `${failure.code}: ${failure.message}` } });
}

function toFailure(error: unknown, signal: AbortSignal): CompactionError {
  if (signal.aborted)
    return new CompactionError("cancelled", "The compaction was stopped. The conversation is as it was.", { cause: error });
  if (error instanceof CompactionError) return error;
  return new CompactionError("persistence", "The log could not be saved, so no summary was asked for.", { cause: error });
}

const sessionRoute = (agent: Agent) => agent.log.last("request/header")?.data.header.config ?? agent.route;
