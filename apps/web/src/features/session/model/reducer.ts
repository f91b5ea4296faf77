import type { DeltaFrame, SessionEvent, StreamBatch } from "@gantry/contracts";
import { isLateDelta, mergeRun } from "./drafts.ts";
import { foldEvent } from "./fold.ts";
import { emptySession, firstSeq, lastSeq, type SessionState } from "./state.ts";
import type { Work } from "./work.ts";

export type SessionAction =
  /** what the stream brought */
  | { readonly type: "batch"; readonly batch: StreamBatch }
  /** a page of the log that ends where the loaded part begins */
  | { readonly type: "older"; readonly events: readonly SessionEvent[] };

/**
 * The screen as a reading of the log (CP-16, CP-17). Pure. Repeated events and deltas change nothing; events beyond a gap wait; the rows
 * depend on the stored events alone once a turn is settled, however they came: streamed, reloaded, or in pages from the end.
 */
export function sessionReducer(state: SessionState, action: SessionAction): SessionState {
  return action.type === "batch" ? applyBatch(state, action.batch) : prependPage(state, action.events);
}

/** Several batches as one change: what an animation frame has collected. */
export function mergeBatches(batches: readonly StreamBatch[]): StreamBatch {
  const activity = batches.findLast((batch) => batch.activity)?.activity;
  return {
    events: batches.flatMap((batch) => batch.events),
    deltas: batches.flatMap((batch) => batch.deltas),
    ...(activity && { activity }),
    ...(batches.some((batch) => batch.caughtUp) && { caughtUp: true }),
  };
}

function applyBatch(state: SessionState, batch: StreamBatch): SessionState {
  const work: Work = { ...state, own: null };
  applyEvents(work, [...state.ahead, ...batch.events]);
  for (const delta of batch.deltas) applyDelta(work, delta);
  if (batch.activity) work.activity = batch.activity;
  if (batch.caughtUp) work.caughtUp = true;
  const { own: _, ...next } = work;
  return next;
}

function applyEvents(work: Work, events: readonly SessionEvent[]): void {
  const added: SessionEvent[] = [];
  const ahead = new Map<number, SessionEvent>();
  let next = lastSeq(work) + 1;
  const isEmpty = work.log.length === 0;
  for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
    if (isEmpty && added.length === 0) next = event.seq;
    if (event.seq > next) ahead.set(event.seq, event);
    if (event.seq !== next) continue;
    foldEvent(work, event);
    added.push(event);
    next += 1;
  }
  if (added.length > 0) work.log = [...work.log, ...added];
  work.ahead = [...ahead.values()];
}

function applyDelta(work: Work, delta: DeltaFrame): void {
  if (isLateDelta(work, delta)) return;
  work.epoch = delta.epoch;
  work.drafts = mergeRun(work.drafts, delta, delta.run, false);
}

/** Reads the longer log from its new beginning, then lays the live text over it again. */
function prependPage(state: SessionState, events: readonly SessionEvent[]): SessionState {
  const first = firstSeq(state);
  const older = events.filter((event) => first === null || event.seq < first).sort((a, b) => a.seq - b.seq);
  if (older.length === 0 || (first !== null && older.at(-1)?.seq !== first - 1)) return state;
  const { epoch, activity, caughtUp } = state;
  const work: Work = { ...emptySession, epoch, activity, caughtUp, own: null };
  applyEvents(work, [...older, ...state.log, ...state.ahead]);
  for (const draft of state.drafts)
    for (const { index, block, base, text, callId, name } of draft.blocks) {
      const run = { index, block, offset: base, text, ...(callId && { callId }), ...(name && { name }) };
      applyDelta(work, { kind: "delta", epoch, messageId: draft.messageId, turn: draft.turn, step: draft.step, run });
    }
  const { own: _, ...next } = work;
  return next;
}
