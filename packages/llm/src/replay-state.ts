import type { JsonObject, Message } from "@gantry/contracts";

/**
 * What a provider wants back with block `index` of its own answer, or null: opaque state goes only to the adapter it came from, and only while it fits
 * the message block by block (LLM-8).
 */
export function replayedBlock(kind: string, slug: string, message: Message, index: number): JsonObject | null {
  if (message.source.kind !== "model" || message.source.provider !== slug) return null;
  const state = message.source.replayState as { kind?: unknown; blocks?: unknown } | undefined;
  if (state?.kind !== kind || !Array.isArray(state.blocks) || state.blocks.length !== message.content.length) return null;
  const entry: unknown = state.blocks[index];
  return typeof entry === "object" && entry !== null ? (entry as JsonObject) : null;
}
