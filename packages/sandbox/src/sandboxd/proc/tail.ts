import type { CapturedStream } from "../../types.ts";
import { SpillFile } from "./spill.ts";

/** Keeps the exact last `maxBytes` of a stream, and the whole of it in a file once it is longer than that. */
export class TailCapture {
  private readonly maxBytes: number;
  private readonly spillMaxBytes: number;
  private chunks: Buffer[] = [];
  private held = 0;
  private total = 0;
  private spill: SpillFile | null = null;

  constructor(maxBytes: number, spillMaxBytes: number) {
    this.maxBytes = maxBytes;
    this.spillMaxBytes = spillMaxBytes;
  }

  add(chunk: Buffer): void {
    const wasWhole = this.total <= this.maxBytes;
    this.total += chunk.length;
    if (this.total > this.maxBytes) this.addToSpill(chunk, wasWhole);
    this.chunks.push(chunk);
    this.held += chunk.length;
    this.trim();
  }

  finish(): CapturedStream {
    const truncated = this.total > this.maxBytes;
    const bytes = Buffer.concat(this.chunks, this.held);
    const tail = truncated ? wholeCharacters(bytes.subarray(bytes.length - this.maxBytes)) : bytes;
    const spillPath = this.spill?.finish();
    return { text: tail.toString("utf8"), truncated, ...(spillPath !== undefined && { spillPath }) };
  }

  private addToSpill(chunk: Buffer, wasWhole: boolean): void {
    if (wasWhole) {
      if (this.total > this.spillMaxBytes) return; // already too long for a file: none is created (D.1)
      this.spill = SpillFile.create(this.spillMaxBytes);
      for (const earlier of this.chunks) this.spill?.add(earlier);
    }
    this.spill?.add(chunk);
  }

  private trim(): void {
    let drop = 0;
    while (drop < this.chunks.length && this.held - (this.chunks[drop]?.length ?? 0) >= this.maxBytes) {
      this.held -= this.chunks[drop]?.length ?? 0;
      drop += 1;
    }
    // small chunks would make shifting one at a time slow: drop them in runs
    if (drop > 0) this.chunks = this.chunks.slice(drop);
    if (this.chunks.length > 4096) this.chunks = [Buffer.concat(this.chunks, this.held)];
  }
}

/** Without the rest of a character that the cut went through. */
function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return bytes.subarray(from);
}
