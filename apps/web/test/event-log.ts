import type { EventDraft, SessionEvent } from "@gantry/contracts";
import { listRows } from "../src/features/session/model/list-rows.ts";
import { sessionReducer } from "../src/features/session/model/reducer.ts";
import type { Row } from "../src/features/session/model/rows.ts";
import { emptySession, type SessionState } from "../src/features/session/model/state.ts";

/** Events in the order in which they are written down, one every 1,000 ms. */
export const logOf = (...drafts: EventDraft[]): SessionEvent[] =>
  drafts.map((draft, seq) => ({ ...draft, seq, time: 1_000_000 + seq * 1_000 }) as SessionEvent);

export const read = (events: readonly SessionEvent[], state: SessionState = emptySession): SessionState =>
  sessionReducer(state, { type: "batch", batch: { events: [...events], deltas: [] } });

/** Every row, all turns opened. */
export const rowsOf = (state: SessionState): Row[] => listRows(state, new Set(state.turns.map(({ turn }) => turn)));

const ada = { kind: "user", userId: "user-ada", name: "Ada" } as const;
const model = { kind: "model", provider: "p", model: "claude-haiku-4-5" } as const;

export const say = (id: string, text: string): EventDraft => ({
  type: "user/message",
  data: { id, role: "user", content: [{ type: "text", text }], source: ada },
  surfaceOp: "append",
});
export const turnStart = (turn: number): EventDraft => ({ type: "turn/start", data: { turn } });
export const turnEnd = (turn: number): EventDraft => ({ type: "turn/end", data: { turn, reason: { kind: "completed" } } });
export const stepStart = (turn: number, step = 1): EventDraft => ({ type: "step/start", data: { turn, step } });
export const stepEnd = (turn: number, step = 1): EventDraft => ({ type: "step/end", data: { turn, step } });

export function answer(turn: number, text: string, calls: { id: string; name: string; arguments: string }[] = [], step = 1): EventDraft {
  const content = [{ type: "text" as const, text }, ...calls.map((call) => ({ type: "tool-call" as const, ...call }))];
  const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 900 };
  const message = { id: `answer-${turn}.${step}`, role: "assistant" as const, content, source: model };
  return { type: "assistant/message", data: { turn, step, message, usage }, surfaceOp: "append" };
}
export const call = (turn: number, callId: string, command: string, step = 1): EventDraft => ({
  type: "tool/call",
  data: { turn, step, callId, name: "bash", arguments: JSON.stringify({ command }) },
});
export function result(turn: number, callId: string, text: string, step = 1): Extract<EventDraft, { type: "tool/result" }> {
  const block = { type: "tool-result" as const, toolCallId: callId, content: [{ type: "text" as const, text }], isError: false };
  const message = { id: `result-${callId}`, role: "user" as const, content: [block], source: { kind: "tool" as const, callId } };
  return { type: "tool/result", data: { turn, step, message }, surfaceOp: "append" };
}
