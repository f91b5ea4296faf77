import type { Json, Usage } from "@gantry/contracts";
import type { BlockType, FinishReason, StreamChunk, StreamedBlock } from "./chunks.ts";

/** A response so far. `content` has the blocks in index order, closed or still open; `finish` is absent while streaming. */
export type Assembled = {
  readonly content: StreamedBlock[];
  readonly usage?: Usage;
  readonly finish?: FinishReason;
  readonly replayState?: Json;
};

type Draft = { readonly type: BlockType; readonly parts: string[]; id: string; name: string; closed?: StreamedBlock };

/** Builds message content from chunks, with or without block starts and ends (LLM-3). Never throws on odd chunks. */
export class Assembler {
  private readonly drafts = new Map<number, Draft>();
  private usage: Usage | undefined;
  private finish: FinishReason | undefined;
  private replayState: Json | undefined;

  push(chunk: StreamChunk): void {
    if (this.finish) return;
    switch (chunk.type) {
      case "block-start":
        this.open(chunk.index, chunk.blockType);
        return;
      case "text-delta":
        this.grow(chunk.index, "text", chunk.text);
        return;
      case "reasoning-delta":
        this.grow(chunk.index, "reasoning", chunk.text);
        return;
      case "tool-call-delta": {
        const draft = this.grow(chunk.index, "tool-call", chunk.argumentsDelta);
        if (draft) {
          draft.id ||= chunk.id;
          draft.name ||= chunk.name ?? "";
        }
        return;
      }
      case "block-end": {
        const draft = this.open(chunk.index, chunk.block.type);
        draft.closed ??= chunk.block;
        return;
      }
      case "usage":
        this.usage = chunk.usage;
        return;
      case "finish":
        this.finish = chunk.reason;
        this.replayState = chunk.replayState;
        return;
    }
  }

  /** A snapshot; later chunks do not change it. */
  result(): Assembled {
    const ordered = [...this.drafts].sort(([a], [b]) => a - b);
    return {
      content: ordered.map(([, draft]) => draft.closed ?? toBlock(draft)),
      ...(this.usage ? { usage: this.usage } : {}),
      ...(this.finish ? { finish: this.finish } : {}),
      ...(this.replayState === undefined ? {} : { replayState: this.replayState }),
    };
  }

  private open(index: number, type: BlockType): Draft {
    const known = this.drafts.get(index);
    if (known) return known;
    const draft: Draft = { type, parts: [], id: "", name: "" };
    this.drafts.set(index, draft);
    return draft;
  }

  private grow(index: number, type: BlockType, text: string): Draft | null {
    const draft = this.open(index, type);
    if (draft.closed || draft.type !== type) return null;
    draft.parts.push(text);
    return draft;
  }
}

function toBlock(draft: Draft): StreamedBlock {
  const text = draft.parts.join("");
  if (draft.type === "tool-call") return { type: "tool-call", id: draft.id, name: draft.name, arguments: text };
  return { type: draft.type, text };
}

/** The content of a finished or broken-off list of chunks. */
export function assemble(chunks: Iterable<StreamChunk>): Assembled {
  const assembler = new Assembler();
  for (const chunk of chunks) assembler.push(chunk);
  return assembler.result();
}
