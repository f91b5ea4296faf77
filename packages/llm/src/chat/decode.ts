import type { Json, LlmFailure, Usage } from "@gantry/contracts";
import type { StreamChunk } from "../chunks.ts";
import { disjointUsage } from "../usage.ts";
import { type CallDelta, ChatCalls } from "./calls.ts";

type ContentPart = { type?: unknown; text?: unknown; thinking?: unknown };
type Delta = {
  content?: string | ContentPart[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  refusal?: string | null;
  tool_calls?: CallDelta[] | null;
};
type Reported = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_cache_hit_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
};
type Chunk = {
  choices?: { delta?: Delta | null; finish_reason?: string | null }[] | null;
  usage?: Reported | null;
  error?: unknown;
  message?: unknown;
  detail?: unknown;
};

/** Turns the events of a chat-completions stream into chunks: one block for all text, one for all thinking (DSK-5), one a call. */
export class ChatDecoder {
  usage: Usage | null = null;
  /** the provider's own word for the end; undefined when it gave none */
  finishWord: string | undefined;
  /** an error that came inside the stream */
  error: unknown;
  private readonly calls: ChatCalls;
  private readonly classify: (error: unknown) => LlmFailure;
  private readonly places = new Map<"text" | "reasoning", number>();
  private blocks = 0;
  /** the server's own name for thinking, where it is not the usual one */
  private thinkingName: "reasoning" | undefined;

  constructor(classify: (error: unknown) => LlmFailure) {
    this.classify = classify;
    this.calls = new ChatCalls(() => this.blocks++);
  }

  get failure(): LlmFailure | null {
    return this.error === undefined ? null : this.classify(this.error);
  }
  get sawCall(): boolean {
    return this.calls.sawCall;
  }

  /** @throws SyntaxError or TypeError for data that is no chunk */
  *take(data: string): Generator<StreamChunk, void, undefined> {
    const chunk = JSON.parse(data) as Chunk | null;
    if (typeof chunk !== "object" || chunk === null) throw new TypeError("a chunk is an object");
    const error = chunk.error || (chunk.choices ? undefined : bareError(chunk));
    if (error) {
      this.error = error;
      return;
    }
    if (chunk.usage) this.usage = usageOf(chunk.usage) ?? this.usage;
    if (!Array.isArray(chunk.choices)) {
      if (chunk.usage) return; // some servers count in an event of its own
      throw new TypeError("a chunk has choices");
    }
    const [choice] = chunk.choices;
    if (choice?.finish_reason) this.finishWord = text(choice.finish_reason);
    if (choice?.delta) yield* this.takeDelta(choice.delta);
  }

  /** What the server is to get back with its own blocks: its thinking under the name that it gave it (LLM-8). */
  get replayState(): Json | undefined {
    const at = this.places.get("reasoning");
    if (at === undefined || this.thinkingName === undefined) return undefined;
    const { thinkingName } = this;
    return { kind: "chat", blocks: Array.from({ length: this.blocks }, (_, index) => (index === at ? { name: thinkingName } : null)) };
  }

  /** What is known only at the end. @throws TypeError for a call that never got a name */
  *end(): Generator<StreamChunk, void, undefined> {
    yield* this.calls.end();
    if (this.usage) yield { type: "usage", usage: this.usage };
  }

  private *takeDelta(delta: Delta): Generator<StreamChunk, void, undefined> {
    if (delta.reasoning && !delta.reasoning_content) this.thinkingName = "reasoning";
    yield* this.grow("reasoning", delta.reasoning_content || delta.reasoning);
    if (Array.isArray(delta.content)) for (const part of delta.content) yield* this.takePart(part);
    else yield* this.grow("text", delta.content);
    if (typeof delta.refusal === "string") yield* this.grow("text", delta.refusal);
    for (const call of delta.tool_calls ?? []) yield* this.calls.take(call);
  }

  private *takePart(part: ContentPart): Generator<StreamChunk, void, undefined> {
    if (part.type === "text") yield* this.grow("text", part.text);
    else if (part.type === "thinking" && Array.isArray(part.thinking))
      for (const piece of part.thinking as ContentPart[]) if (piece?.type === "text") yield* this.grow("reasoning", piece.text);
  }

  private *grow(type: "text" | "reasoning", piece: unknown): Generator<StreamChunk, void, undefined> {
    if (piece === undefined || piece === null || piece === "") return;
    let index = this.places.get(type);
    if (index === undefined) {
      index = this.blocks++;
      this.places.set(type, index);
      yield { type: "block-start", index, blockType: type };
    }
    yield { type: `${type}-delta`, index, text: text(piece) };
  }
}

/** Some servers say what is wrong without an `error` around it. */
function bareError(chunk: Chunk): Chunk | undefined {
  return typeof chunk.message === "string" || typeof chunk.detail === "string" ? chunk : undefined;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("text is a string");
  return value;
}

function usageOf(reported: Reported): Usage | null {
  return disjointUsage({
    inputTotal: reported.prompt_tokens,
    cacheRead: reported.prompt_tokens_details?.cached_tokens || reported.prompt_cache_hit_tokens,
    output: reported.completion_tokens,
    reasoning: reported.completion_tokens_details?.reasoning_tokens,
  });
}
