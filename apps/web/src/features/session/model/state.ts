import type { Activity, CallConfig, ChunkRun, SessionEvent, Todo, TurnEndReason } from "@gantry/contracts";
import type { PresetRow, TurnRow } from "./rows.ts";

export type Turn = {
  /** 0 when its start lies before the loaded part of the log */
  readonly turn: number;
  /** epoch milliseconds */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly reason: TurnEndReason | null;
  readonly rows: readonly TurnRow[];
};

/** A message that waits in the session's inbox. */
export type PendingMessage = {
  readonly messageId: string;
  readonly text: string;
  readonly author: string | null;
  readonly target: "next-turn" | "next-step";
};
/** `claimed`: taken out of the inbox for a step whose `user/message` is not in the log yet. */
export type Inbox = {
  readonly "next-turn": readonly PendingMessage[];
  readonly "next-step": readonly PendingMessage[];
  readonly claimed: readonly PendingMessage[];
};

export type DraftBlock = {
  readonly index: number;
  readonly block: ChunkRun["block"];
  /** offset of `text` in the block; above 0 only when the loaded log begins inside the message */
  readonly base: number;
  readonly text: string;
  /** how far the log holds the text, as an offset in the block; what lies beyond is live only */
  readonly stored: number;
  readonly callId: string | null;
  readonly name: string | null;
  /** live pieces beyond a gap, until the log fills it */
  readonly waiting: readonly ChunkRun[];
};
/** A message that the model is writing: rows of its own until the stored message takes its place. */
export type Draft = {
  readonly messageId: string;
  readonly turn: number;
  readonly step: number;
  readonly blocks: readonly DraftBlock[];
};

export type SessionState = {
  /** the loaded part of the log: contiguous, ascending */
  readonly log: readonly SessionEvent[];
  /** events beyond a gap; they wait for what lies between */
  readonly ahead: readonly SessionEvent[];
  readonly turns: readonly Turn[];
  readonly inbox: Inbox;
  readonly drafts: readonly Draft[];
  /** messages of the open step that are stored or whose attempt failed: their late deltas are dropped */
  readonly closedMessages: readonly string[];
  /** the last step that ended; deltas of it or earlier ones are late */
  readonly settled: { readonly turn: number; readonly step: number };
  /** the highest lease epoch seen in a delta; a fenced worker's deltas are dropped */
  readonly epoch: number;
  readonly title: string | null;
  readonly todos: readonly Todo[];
  /** the last switch of the preset that the loaded log holds */
  readonly preset: PresetRow | null;
  /** switches since the last turn; the next one begins with them */
  readonly presets: readonly PresetRow[];
  readonly config: CallConfig | null;
  readonly activity: Activity | null;
  readonly caughtUp: boolean;
};

export const emptySession: SessionState = {
  log: [],
  ahead: [],
  turns: [],
  inbox: { "next-turn": [], "next-step": [], claimed: [] },
  drafts: [],
  closedMessages: [],
  settled: { turn: 0, step: 0 },
  epoch: 0,
  title: null,
  todos: [],
  preset: null,
  presets: [],
  config: null,
  activity: null,
  caughtUp: false,
};

/** The position of the first loaded event, or null when nothing is loaded. */
export const firstSeq = (state: SessionState): number | null => state.log[0]?.seq ?? null;
/** The position of the last loaded event; -1 when nothing is loaded. */
export const lastSeq = (state: SessionState): number => state.log.at(-1)?.seq ?? -1;
/** Whether older events exist that are not loaded. */
export const hasOlder = (state: SessionState): boolean => (firstSeq(state) ?? 0) > 0;
export const openTurn = (state: SessionState): Turn | null => {
  const last = state.turns.at(-1);
  return last && last.endedAt === null ? last : null;
};
