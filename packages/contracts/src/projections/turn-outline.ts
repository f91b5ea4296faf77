import { isEvent, type SessionEvent, type TurnEndReason } from "../events.ts";
import { defineUnit } from "./unit.ts";

const previewChars = 200;

/** One turn in a table of contents (PRJ-4). Times are epoch milliseconds. */
export type OutlineTurn = {
  readonly turn: number;
  readonly startSeq: number;
  /** null while the turn runs, like the other ends */
  readonly endSeq: number | null;
  readonly startTime: number;
  readonly endTime: number | null;
  /** the first words that a person wrote in it: at most 200 code points on one line; null when nobody did */
  readonly prompt: string | null;
  readonly steps: number;
  readonly toolCalls: number;
  readonly endReason: TurnEndReason["kind"] | null;
};
type State = { readonly done: readonly OutlineTurn[]; readonly open: OutlineTurn | null };

export const turnOutline = defineUnit<readonly OutlineTurn[], State>({
  key: "turnOutline",
  init: { done: [], open: null },
  apply(state, event) {
    if (isEvent(event, "turn/start")) return { done: allOf(state), open: begun(event.data.turn, event) };
    const open = state.open && grown(state.open, event);
    if (!open || open === state.open) return state;
    return open.endSeq === null ? { ...state, open } : { done: [...state.done, open], open: null };
  },
  view: allOf,
});

function allOf({ done, open }: State): readonly OutlineTurn[] {
  return open ? [...done, open] : done;
}

function begun(turn: number, { seq, time }: SessionEvent): OutlineTurn {
  return { turn, startSeq: seq, endSeq: null, startTime: time, endTime: null, prompt: null, steps: 0, toolCalls: 0, endReason: null };
}

function grown(turn: OutlineTurn, event: SessionEvent): OutlineTurn {
  if (isEvent(event, "step/start")) return { ...turn, steps: turn.steps + 1 };
  if (isEvent(event, "tool/call")) return { ...turn, toolCalls: turn.toolCalls + 1 };
  if (isEvent(event, "turn/end")) return { ...turn, endSeq: event.seq, endTime: event.time, endReason: event.data.reason.kind };
  if (!isEvent(event, "user/message") || turn.prompt !== null || event.data.source.kind !== "user") return turn;
  const words = event.data.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
  return { ...turn, prompt: preview(words) };
}

/** By code point, so that no character is cut in two; only the part that can show is looked at. */
function preview(text: string): string {
  const line = text
    .slice(0, previewChars * 8)
    .replace(/\s+/gu, " ")
    .trim();
  return [...line.toWellFormed()].slice(0, previewChars).join("");
}
