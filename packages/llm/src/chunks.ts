import type { ContentBlock, Json, LlmFailure, Usage } from "@gantry/contracts";

/** The blocks a model can stream; tool results are never streamed. */
export type StreamedBlock = Extract<ContentBlock, { type: "text" | "reasoning" | "tool-call" }>;
export type BlockType = StreamedBlock["type"];

/** How a response ended (LLM-4). `error` and `aborted` are data, not exceptions. */
export type FinishReason =
  | { readonly kind: "stop" }
  | { readonly kind: "tool-calls" }
  | { readonly kind: "max-tokens" }
  | { readonly kind: "aborted"; readonly failure: LlmFailure }
  | { readonly kind: "error"; readonly failure: LlmFailure };

/**
 * One piece of a streamed response (LLM-3). `usage` comes before `finish`, nothing after `finish`. Block starts and ends are
 * optional: a delta opens its block. Once a block is closed its deltas are ignored, and the first close wins.
 */
export type StreamChunk =
  | { readonly type: "block-start"; readonly index: number; readonly blockType: BlockType }
  | { readonly type: "text-delta"; readonly index: number; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly index: number; readonly text: string }
  | {
      readonly type: "tool-call-delta";
      readonly index: number;
      readonly id: string;
      readonly name?: string;
      readonly argumentsDelta: string;
    }
  | { readonly type: "block-end"; readonly index: number; readonly block: StreamedBlock }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly replayState?: Json };

export type FinishChunk = Extract<StreamChunk, { type: "finish" }>;
