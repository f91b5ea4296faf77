import type { ChunkRun, ContentBlock, Json, Message, Usage } from "@gantry/contracts";
import type { FinishChunk, LlmRequest, StreamChunk } from "@gantry/llm";
import type { Agent } from "./agent.ts";

/** How long streamed text may wait before it becomes a logged run, in milliseconds. */
const packMs = 200;

type Part = { block: ChunkRun["block"]; text: string; callId: string; name: string };
type Place = { turn: number; step: number; messageId: string };

/**
 * The message being written: each delta goes live at once with its offset; runs of deltas go to the log at most every
 * 200 ms (architecture §8, SES-33, STP-5), also when nothing follows, so a crash or a late client misses no more than that.
 */
export class Draft {
  usage: Usage | undefined;
  readonly chunkSeqs: number[] = [];
  private readonly agent: Agent;
  private readonly place: Place;
  private readonly parts = new Map<number, Part>();
  private runs: ChunkRun[] = [];
  private packedAt = Date.now();
  private isStreaming = false;
  /** packs what came last when nothing follows */
  private late: NodeJS.Timeout | undefined;

  constructor(agent: Agent, place: Place) {
    this.agent = agent;
    this.place = place;
  }

  /**
   * Takes the stream to its end. A stream without a finish counts as `stop` (STP-6). After an abort it does not matter how the stream ends.
   * @throws what listeners of the stream and the log throw: that is no failure of the model, and no retry mends it
   */
  async receive(chunks: AsyncIterable<StreamChunk>, signal: AbortSignal): Promise<FinishChunk> {
    let finish: FinishChunk = { type: "finish", reason: { kind: "stop" } };
    try {
      for await (const chunk of chunks) {
        if (signal.aborted) break;
        if (chunk.type === "finish") finish = chunk;
        else this.take(chunk);
      }
    } catch (error) {
      if (!signal.aborted || this.agent.log.isFenced) throw error;
    } finally {
      clearTimeout(this.late);
    }
    if (!this.agent.log.isFenced) this.pack();
    return finish;
  }

  blocks(): ContentBlock[] {
    return [...this.parts].sort(([a], [b]) => a - b).map(([, part]) => blockOf(part));
  }

  message(content: ContentBlock[], request: LlmRequest, replayState: Json | undefined): Message {
    const { provider, model } = request;
    const replay = replayState === undefined ? {} : { replayState: structuredClone(replayState) as never };
    return { id: this.place.messageId, role: "assistant", content, source: { kind: "model", provider, model, ...replay } };
  }

  private take(chunk: Exclude<StreamChunk, { type: "finish" }>): void {
    if (chunk.type === "text-delta") this.grow(chunk.index, "text", chunk.text);
    else if (chunk.type === "reasoning-delta") this.grow(chunk.index, "reasoning", chunk.text);
    else if (chunk.type === "tool-call-delta") this.grow(chunk.index, "tool-call", chunk.argumentsDelta, chunk.id, chunk.name);
    else if (chunk.type === "usage") this.usage = chunk.usage;
    // block starts and ends say nothing that the deltas do not: a delta opens its block
  }

  private grow(index: number, block: ChunkRun["block"], text: string, callId = "", name = ""): void {
    const part = this.parts.get(index) ?? { block, text: "", callId: "", name: "" };
    if (part.block !== block) return;
    part.callId ||= callId;
    part.name ||= name;
    const call = block === "tool-call" ? { callId: part.callId, name: part.name } : {};
    const run: ChunkRun = { index, block, offset: part.text.length, text, ...call };
    part.text += text;
    this.parts.set(index, part);
    this.show(run);
    this.queue(run);
  }

  private show(run: ChunkRun): void {
    if (!this.isStreaming) this.agent.showActivity({ kind: "streaming", since: Date.now() });
    this.isStreaming = true;
    const { turn, step, messageId } = this.place;
    this.agent.publish({ kind: "delta", epoch: this.agent.epoch, turn, step, messageId, run });
  }

  private queue(run: ChunkRun): void {
    const last = this.runs.at(-1);
    if (last && last.index === run.index) Object.assign(last, run, { offset: last.offset, text: last.text + run.text });
    else this.runs.push({ ...run }); // a copy, that grows; the other one is on its way to watchers
    if (Date.now() - this.packedAt >= packMs) this.pack();
    else this.late ??= setTimeout(() => this.packLate(), packMs);
  }

  private packLate(): void {
    try {
      if (!this.agent.log.isFenced) this.pack();
    } catch {
      // the runs are still there: the next delta, or the end of the stream, meets the same failure
    }
  }

  private pack(): void {
    this.packedAt = Date.now();
    clearTimeout(this.late);
    this.late = undefined;
    if (this.runs.length === 0) return;
    const event = this.agent.log.append({ type: "assistant/chunk", data: { ...this.place, runs: this.runs } });
    this.runs = [];
    this.chunkSeqs.push(event.seq);
  }
}

function blockOf(part: Part): ContentBlock {
  if (part.block === "tool-call") return { type: "tool-call", id: part.callId, name: part.name, arguments: part.text };
  return { type: part.block, text: part.text };
}
