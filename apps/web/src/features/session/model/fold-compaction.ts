import type { EventData } from "@gantry/contracts";
import type { CompactionRow, TurnRow } from "./rows.ts";
import { addSpent } from "./spent.ts";
import { changeRows, putRow, type Work } from "./work.ts";

const keyOf = ({ compactionId }: { compactionId: string }): string => `compaction:${compactionId}`;

export function foldCompactionStart(work: Work, data: EventData<"compaction/start">): void {
  putRow(work, { kind: "compaction", key: keyOf(data), state: "running", summary: null, tokens: 0, error: null });
}

/** The summary is there; that the model works with it follows at once. A beginning that is not loaded is made up for. */
export function foldCompactionSummary(work: Work, data: EventData<"compaction/summary">): void {
  const { summary, shadowedTokenCount: tokens, usage, provider, model } = data;
  if (usage) addSpent(work, { provider, model, usage });
  let isKnown = false;
  change(work, keyOf(data), (row) => {
    isKnown = true;
    return { ...row, summary, tokens };
  });
  if (!isKnown) putRow(work, { kind: "compaction", key: keyOf(data), state: "running", summary, tokens, error: null });
}

export function foldCompactionEnd(work: Work, data: EventData<"compaction/end">): void {
  const error = data.error ?? null;
  change(work, keyOf(data), (row) => ({ ...row, state: error === null && row.summary !== null ? "done" : "failed", error }));
}

/** A bracket that nobody will close any more (CMP-9). */
export function dropOpenCompaction(work: Work): void {
  changeRows(
    work,
    (row) => (row.kind === "compaction" && row.state === "running" ? { ...row, state: "failed" } : row),
    Math.max(0, work.turns.length - 1),
  );
}

function change(work: Work, key: string, next: (row: CompactionRow) => CompactionRow): void {
  changeRows(work, (row: TurnRow) => (row.kind === "compaction" && row.key === key ? next(row) : row));
}
