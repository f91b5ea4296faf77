import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Json, Usage } from "@gantry/contracts";
import type { StreamChunk, StreamedBlock } from "../chunks.ts";
import { disjointUsage } from "../usage.ts";

export type DecodeOptions = {
  /** State to send back with a block, read from a part that belongs to it. */
  blockState?(part: LanguageModelV4StreamPart): Json | undefined;
};

type Block = { readonly index: number; readonly type: StreamedBlock["type"]; readonly parts: string[]; state?: Json };

/** Turns the parts of the wire layer into chunks. Finish and errors are left to the caller, which knows the connection. */
export class PartDecoder {
  private readonly open = new Map<string, Block>();
  private readonly all: Block[] = [];
  private readonly options: DecodeOptions;
  sawToolCall = false;

  constructor(options: DecodeOptions) {
    this.options = options;
  }

  *decode(part: LanguageModelV4StreamPart): Generator<StreamChunk, void, undefined> {
    switch (part.type) {
      case "text-start":
      case "text-delta":
        return yield* this.grow("text", part);
      case "reasoning-start":
      case "reasoning-delta":
        return yield* this.grow("reasoning", part);
      case "text-end":
        return yield* this.end("text", part);
      case "reasoning-end":
        return yield* this.end("reasoning", part);
      case "tool-input-start": {
        const { block } = this.blockFor(`call:${part.id}`, "tool-call");
        yield { type: "block-start", index: block.index, blockType: "tool-call" };
        yield { type: "tool-call-delta", index: block.index, id: part.id, name: part.toolName, argumentsDelta: "" };
        return;
      }
      case "tool-input-delta": {
        const { block } = this.blockFor(`call:${part.id}`, "tool-call");
        yield { type: "tool-call-delta", index: block.index, id: part.id, argumentsDelta: part.delta };
        return;
      }
      case "tool-call": {
        this.sawToolCall = true;
        const key = `call:${part.toolCallId}`;
        const { block } = this.blockFor(key, "tool-call");
        this.open.delete(key);
        const call = { type: "tool-call", id: part.toolCallId, name: part.toolName, arguments: part.input } as const;
        yield { type: "block-end", index: block.index, block: call };
        return;
      }
      default:
    }
  }

  /** State by block, in index order; null where a block has none. Undefined when no block has any. */
  replayBlocks(): Json[] | undefined {
    return this.all.some((block) => block.state !== undefined) ? this.all.map((block) => block.state ?? null) : undefined;
  }

  private *grow(
    type: "text" | "reasoning",
    part: Extract<LanguageModelV4StreamPart, { id: string; type: `${string}-start` | `${string}-delta` }>,
  ) {
    const { block, isNew } = this.blockFor(`${type}:${part.id}`, type);
    if (isNew) yield { type: "block-start", index: block.index, blockType: type } as const;
    const state = this.options.blockState?.(part);
    if (state !== undefined) block.state = state;
    if (!("delta" in part) || part.delta === "") return;
    block.parts.push(part.delta);
    yield { type: `${type}-delta`, index: block.index, text: part.delta } as const;
  }

  private *end(
    type: "text" | "reasoning",
    part: Extract<LanguageModelV4StreamPart, { type: `${string}-end`; id: string }>,
  ): Generator<StreamChunk, void, undefined> {
    const key = `${type}:${part.id}`;
    const block = this.open.get(key);
    this.open.delete(key);
    if (!block) return;
    // some state is complete only with the block
    const state = this.options.blockState?.(part);
    if (state !== undefined) block.state = state;
    yield { type: "block-end", index: block.index, block: { type, text: block.parts.join("") } };
  }

  private blockFor(key: string, type: Block["type"]): { block: Block; isNew: boolean } {
    const known = this.open.get(key);
    if (known) return { block: known, isNew: false };
    const block: Block = { index: this.all.length, type, parts: [] };
    this.all.push(block);
    this.open.set(key, block);
    return { block, isNew: true };
  }
}

export function usageOf(usage: LanguageModelV4Usage): Usage | null {
  return disjointUsage({
    inputTotal: usage.inputTokens.total,
    cacheRead: usage.inputTokens.cacheRead,
    cacheWrite: usage.inputTokens.cacheWrite,
    output: usage.outputTokens.total,
    reasoning: usage.outputTokens.reasoning,
  });
}
