import { isEvent, type SessionEvent, type SessionEventOf } from "../events.ts";
import { expandChunks } from "../expand-chunks.ts";
import { defineUnit } from "./unit.ts";

/** Totals of a session; times in milliseconds (PRJ-3). Means are for the reader to make: `ttftMs / ttftSteps`, `decodeTokens / decodeMs`. */
export type SessionStats = {
  /** turns with at least one finished step */
  readonly turns: number;
  readonly steps: number;
  /** from the start of a step to the model's message */
  readonly llmMs: number;
  /** from the start of a step to its first streamed text; the log holds that moment to within a run of deltas */
  readonly ttftMs: number;
  readonly ttftSteps: number;
  /** from the first text to the message, in steps that say how many tokens they wrote */
  readonly decodeMs: number;
  readonly decodeTokens: number;
  /** from call to result, summed over calls: parallel ones count each */
  readonly toolMs: number;
};
type State = {
  readonly stats: SessionStats;
  /** last turn that counts */
  readonly turn: number;
  readonly stepAt: number | null;
  readonly firstTextAt: number | null;
  /** start of each call without a result */
  readonly calls: Readonly<Record<string, number>>;
};

const stats: SessionStats = { turns: 0, steps: 0, llmMs: 0, ttftMs: 0, ttftSteps: 0, decodeMs: 0, decodeTokens: 0, toolMs: 0 };

export const sessionStats = defineUnit<SessionStats, State>({
  key: "sessionStats",
  init: { stats, turn: 0, stepAt: null, firstTextAt: null, calls: {} },
  apply(state, event) {
    if (isEvent(event, "step/start")) return { ...state, stepAt: event.time, firstTextAt: null };
    if (isEvent(event, "assistant/chunk")) return firstText(state, event);
    if (isEvent(event, "assistant/message")) return message(state, event);
    if (isEvent(event, "tool/call")) return { ...state, calls: { ...state.calls, [event.data.callId]: event.time } };
    if (isEvent(event, "tool/result")) return result(state, event);
    if (isEvent(event, "step/end")) return stepEnd(state, event.data.turn);
    if (isEvent(event, "turn/end") && Object.keys(state.calls).length > 0) return { ...state, calls: {} };
    return state;
  },
  view: (state) => state.stats,
});

/** Two workers, or one whose clock was set back, may write a log: what ends before it began took no time. */
const between = (start: number, end: number): number => Math.max(0, end - start);

/** The first text of the step stays the first, also when the attempt that wrote it was given up and another one answers. */
function firstText(state: State, event: SessionEventOf<"assistant/chunk">): State {
  if (state.firstTextAt !== null || state.stepAt === null) return state;
  const hasText = (event.data.pruned?.chars ?? 0) > 0 || expandChunks(event).some(({ run }) => run.text !== "");
  return hasText ? { ...state, firstTextAt: event.time } : state;
}

/** A message that was cut off by a person is not timed; the step counts at its end all the same. */
function message(state: State, { time, data, surfaceOp }: SessionEventOf<"assistant/message">): State {
  if (state.stepAt === null || typeof surfaceOp === "object") return state;
  const { stepAt, firstTextAt, stats } = state;
  const done = { ...state, stepAt: null, firstTextAt: null };
  if (data.interrupted) return done;
  const tokens = data.usage?.outputTokens ?? 0;
  const first = firstTextAt === null ? {} : { ttftMs: stats.ttftMs + between(stepAt, firstTextAt), ttftSteps: stats.ttftSteps + 1 };
  const decode =
    firstTextAt === null || tokens === 0
      ? {}
      : { decodeMs: stats.decodeMs + between(firstTextAt, time), decodeTokens: stats.decodeTokens + tokens };
  return { ...done, stats: { ...stats, llmMs: stats.llmMs + between(stepAt, time), ...first, ...decode } };
}

function result(state: State, event: SessionEvent & SessionEventOf<"tool/result">): State {
  if (typeof event.surfaceOp === "object") return state;
  const calls = { ...state.calls };
  let toolMs = state.stats.toolMs;
  for (const block of event.data.message.content) {
    // a call's id is the model's word: “constructor” is one too
    if (block.type !== "tool-result" || !Object.hasOwn(calls, block.toolCallId)) continue;
    toolMs += between(calls[block.toolCallId] ?? event.time, event.time);
    delete calls[block.toolCallId];
  }
  return { ...state, calls, stats: { ...state.stats, toolMs } };
}

function stepEnd(state: State, turn: number): State {
  const { stats } = state;
  const turns = turn === state.turn ? stats.turns : stats.turns + 1;
  return { ...state, turn, stepAt: null, firstTextAt: null, stats: { ...stats, turns, steps: stats.steps + 1 } };
}
