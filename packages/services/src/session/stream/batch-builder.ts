import type { Activity, DeltaFrame, SessionEvent, StreamBatch } from "@gantry/contracts";

const maxEvents = 200;
const maxChars = 500_000;

/** Collects one batch; `isFull` says that it should be sent before more is added. */
export type BatchBuilder = {
  addEvent(event: SessionEvent): void;
  addDelta(delta: DeltaFrame): void;
  setActivity(activity: Activity): void;
  readonly isFull: boolean;
  readonly isEmpty: boolean;
  /** The batch so far; the builder starts anew. */
  flush(): StreamBatch;
};

export function createBatchBuilder(): BatchBuilder {
  let batch: StreamBatch = { events: [], deltas: [] };
  let chars = 0;
  return {
    addEvent(event) {
      batch.events.push(event);
      chars += JSON.stringify(event.data).length;
    },
    addDelta(delta) {
      const longer = continued(batch.deltas.at(-1), delta);
      if (longer) batch.deltas[batch.deltas.length - 1] = longer;
      else batch.deltas.push(delta);
      chars += delta.run.text.length;
    },
    setActivity(activity) {
      batch.activity = activity;
    },
    get isFull() {
      return batch.events.length >= maxEvents || chars >= maxChars;
    },
    get isEmpty() {
      return batch.events.length === 0 && batch.deltas.length === 0 && batch.activity === undefined;
    },
    flush() {
      const full = batch;
      batch = { events: [], deltas: [] };
      chars = 0;
      return full;
    },
  };
}

/** The two as one when the second goes on where the first ends: one frame a batch instead of one a turn of the feed. */
function continued(last: DeltaFrame | undefined, next: DeltaFrame): DeltaFrame | null {
  if (!last || last.messageId !== next.messageId || last.epoch !== next.epoch) return null;
  const isSameBlock = last.run.index === next.run.index && last.run.block === next.run.block;
  if (!isSameBlock || last.run.offset + last.run.text.length !== next.run.offset) return null;
  return { ...last, run: { ...last.run, text: last.run.text + next.run.text } };
}
