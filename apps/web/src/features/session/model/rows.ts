import type { Json, LlmFailure, Todo, TurnEndReason } from "@gantry/contracts";
import type { Attached } from "./attached.ts";

/** How a tool call stands. `cut-off`: it was asked for or started, and no real result will ever come. */
export type ToolState = "writing" | "queued" | "running" | "done" | "failed" | "denied" | "cut-off";

export type PromptRow = {
  readonly kind: "prompt";
  readonly key: string;
  readonly messageId: string;
  readonly author: string | null;
  readonly text: string;
  readonly attachments?: readonly Attached[];
  readonly time: number;
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
/** What a turn holds, in log order. */
export type TurnRow = PresetRow | PromptRow | NoticeRow | TextRow | ReasoningRow | ToolRow | TodosRow | RetryRow | EndRow;

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
/** Stands for earlier tool rows of a turn that is still going on. */
export type MoreRow = { readonly kind: "more"; readonly key: string; readonly turn: number; readonly count: number };

/** What the list draws; each row is one immutable object, so that a row is drawn again only when it changed. */
export type Row = TurnRow | SummaryRow | MoreRow;
