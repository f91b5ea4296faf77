import type { Activity, CallConfig, ChunkRun, ModelUsage, SessionEvent, Todo, TurnEndReason } from "@gantry/contracts";
import type { Ask, PresetRow, TurnRow } from "./rows.ts";

export type Turn = {
  /** 0 when its start lies before the loaded part of the log */
  readonly turn: number;
  /** epoch milliseconds */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly reason: TurnEndReason | null;
  readonly rows: readonly TurnRow[];
  /** what came after its end, before the next turn */
  readonly after: readonly TurnRow[];
  /** tokens of its requests, by model */
  readonly spent: readonly ModelUsage[];
  /** positions of the end of the turn before it, and of its own end; null while there is none, or it is not loaded */
  readonly beforeSeq: number | null;
  readonly endSeq: number | null;
};

/** A question to people that nobody has answered yet. */
export type OpenAsk = { readonly id: string; readonly kind: "approval" | "question"; readonly since: number };

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
  /** what the next turn begins with: switches of the preset since the last one, and whatever came before the first */
  readonly between: readonly TurnRow[];
  readonly asks: readonly OpenAsk[];
  /** the last answer to one of them */
  readonly answered: { readonly id: string; readonly outcome: NonNullable<Ask["outcome"]>; readonly by: string | null } | null;
  /** names of people by user id, as far as the loaded log tells them */
  readonly people: Readonly<Record<string, string>>;
  /** the permission preset that the loaded log names last */
  readonly permission: string | null;
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
  between: [],
  asks: [],
  answered: null,
  people: {},
  permission: null,
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
