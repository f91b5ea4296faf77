import type { ChunkRun, EventData, SessionEventOf } from "./events.ts";

/** One stored delta with the place and time of the event that carries it. */
export type StoredDelta = {
  readonly seq: number;
  /** epoch milliseconds at which its event was appended: at most 200 ms after the text arrived */
  readonly time: number;
  readonly messageId: string;
  readonly run: ChunkRun;
};

/**
 * The deltas of one logged chunk event, contiguous within each block (SES-33). A row of the log is one event with one position, so deltas
 * packed together share position and time: docs/decisions/0006-packed-deltas.md. A pruned event has none.
 */
export function expandChunks({ seq, time, data }: SessionEventOf<"assistant/chunk">): StoredDelta[] {
  return data.runs.map((run) => ({ seq, time, messageId: data.messageId, run }));
}

/** What stays of a chunk event when its text has served its time: place, time, and how much there was. The message itself is kept elsewhere in the log. */
export function pruneChunk({ runs, pruned, ...place }: EventData<"assistant/chunk">): EventData<"assistant/chunk"> {
  const chars = runs.reduce((sum, run) => sum + run.text.length, pruned?.chars ?? 0);
  return { ...place, runs: [], pruned: { runs: runs.length + (pruned?.runs ?? 0), chars } };
}
