import type { Message, ToolSchema } from "@gantry/contracts";

export type LlmPurpose = "main" | "session-title" | "compaction";

/** One provider attempt. `provider` is the slug of a registered adapter. The adapter never changes the request. */
export type LlmRequest = {
  readonly provider: string;
  readonly model: string;
  readonly maxTokens?: number;
  /** One of the route's efforts; `"off"` asks for no thinking. Absent: the provider's own default. */
  readonly reasoningEffort?: string;
  readonly system?: string;
  readonly tools?: readonly ToolSchema[];
  readonly messages: readonly Message[];
  readonly sessionId: string;
  readonly purpose: LlmPurpose;
  readonly signal: AbortSignal;
};

/** What is known of a route (LLM-9). Advisory: a model that is not listed may still be accepted by the provider. */
export type ModelInfo = {
  readonly provider: string;
  readonly model: string;
  /** tokens */
  readonly contextWindow?: number;
  /** default output limit, tokens */
  readonly maxTokens?: number;
  readonly efforts?: readonly string[];
  readonly defaultEffort?: string;
};
