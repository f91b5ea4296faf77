import type { ApprovalOutcome, Json, LlmFailure, ModelUsage, Todo, TurnEndReason } from "@gantry/contracts";
import type { Attached } from "./attached.ts";

/** How a tool call stands. `waiting`: for a person; `cut-off`: it was asked for or started, and no real result will ever come. */
export type ToolState = "writing" | "queued" | "waiting" | "running" | "done" | "failed" | "denied" | "cut-off";

export type PromptRow = {
  readonly kind: "prompt";
  readonly key: string;
  readonly messageId: string;
  readonly author: string | null;
  readonly text: string;
  readonly attachments?: readonly Attached[];
  readonly time: number;
  /** the last event of a fork that begins anew with this prompt; null where there is nothing before it, or no place for a fork */
  readonly forkSeq: number | null;
};
export type NoticeRow = {
  readonly kind: "notice";
  readonly key: string;
  readonly messageId: string;
  readonly plugin: string;
  readonly summary: string | null;
  readonly text: string;
};
/** `live`: the model is still writing it. `cutOff`: the model was stopped in the middle of it. */
export type TextRow = {
  readonly kind: "text";
  readonly key: string;
  readonly messageId: string;
  readonly text: string;
  readonly live: boolean;
  readonly cutOff: boolean;
};
export type ReasoningRow = Omit<TextRow, "kind"> & { readonly kind: "reasoning" };
export type ToolResultView = {
  readonly text: string;
  readonly isError: boolean;
  readonly code: string | null;
  readonly meta: Json | undefined;
};
/** What a call asked people, and what became of it. `by` is a user id. */
export type Ask = {
  readonly id: string;
  readonly kind: "approval" | "question";
  readonly outcome: ApprovalOutcome | "answered" | "dismissed" | null;
  readonly by: string | null;
};
export type ToolRow = {
  readonly kind: "tool";
  readonly key: string;
  readonly callId: string;
  readonly name: string;
  /** the raw string that the model wrote, valid JSON or not */
  readonly arguments: string;
  readonly state: ToolState;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly result: ToolResultView | null;
  readonly ask: Ask | null;
  /** the model sees the beginning and the end of the result only */
  readonly pruned: boolean;
};
export type TodosRow = { readonly kind: "todos"; readonly key: string; readonly todos: readonly Todo[] };
export type RetryRow = {
  readonly kind: "retry";
  readonly key: string;
  readonly retry: number;
  readonly maxRetries: number | null;
  readonly failure: LlmFailure;
  /** epoch milliseconds at which the request is sent again */
  readonly untilTime: number;
  readonly state: "waiting" | "sent" | "over";
};
export type EndRow = {
  readonly kind: "end";
  readonly key: string;
  readonly turn: number;
  readonly reason: Exclude<TurnEndReason, { kind: "completed" }>;
  readonly time: number;
};
/** From here on the session runs on this revision of a preset. */
export type PresetRow = { readonly kind: "preset"; readonly key: string; readonly slug: string; readonly revision: number };
/** From here on the session may touch more, or less. */
export type PermissionRow = { readonly kind: "permission"; readonly key: string; readonly preset: string };
/** A human command such as `/compact`. */
export type CommandRow = {
  readonly kind: "command";
  readonly key: string;
  readonly name: string;
  readonly args: string;
  readonly state: "running" | "success" | "error";
  readonly text: string | null;
};
/** The model sees a summary from here on; people still see what it stands for. `tokens` is an estimate. */
export type CompactionRow = {
  readonly kind: "compaction";
  readonly key: string;
  readonly state: "running" | "done" | "failed";
  readonly summary: string | null;
  readonly tokens: number;
  readonly error: string | null;
};
/** What a turn holds, in log order. */
export type TurnRow =
  | PermissionRow
  | CommandRow
  | CompactionRow
  | PresetRow
  | PromptRow
  | NoticeRow
  | TextRow
  | ReasoningRow
  | ToolRow
  | TodosRow
  | RetryRow
  | EndRow;

/** One line that stands for the work of a settled turn. */
export type SummaryRow = {
  readonly kind: "summary";
  readonly key: string;
  readonly turn: number;
  readonly open: boolean;
  readonly workedMs: number | null;
  readonly toolCalls: number;
  readonly files: readonly string[];
  readonly failed: boolean;
};
/** What a settled turn took, and what can be done with its answer. */
export type FooterRow = {
  readonly kind: "footer";
  readonly key: string;
  /** null where the line for the work says it */
  readonly workedMs: number | null;
  readonly spent: readonly ModelUsage[];
  readonly answer: { readonly messageId: string; readonly text: string } | null;
  /** the last event of a fork that goes on from here */
  readonly forkSeq: number | null;
};
/** Stands for earlier tool rows of a turn that is still going on. */
export type MoreRow = { readonly kind: "more"; readonly key: string; readonly turn: number; readonly count: number };

/** What the list draws; each row is one immutable object, so that a row is drawn again only when it changed. */
export type Row = TurnRow | SummaryRow | FooterRow | MoreRow;
