import type { StreamChunk } from "./chunks.ts";
import type { AdapterRequest, ModelInfo } from "./request.ts";

/**
 * A model provider. One `stream` call is one attempt: adapters never retry (LLM-6). Failures are chunks; what an adapter
 * throws all the same becomes a failure in the service.
 */
export interface LlmAdapter {
  /** The name requests use: the organisation's provider slug. */
  readonly slug: string;
  readonly models: readonly string[];
  /** What is known of `model`, or null when this adapter cannot serve it. */
  resolve(model: string): ModelInfo | null;
  /** A request follows within a moment: what it needs to know may be asked for now. */
  prepare?(): void;
  stream(request: AdapterRequest): AsyncIterable<StreamChunk>;
}
