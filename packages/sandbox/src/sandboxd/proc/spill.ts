import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { spillDir } from "../settings.ts";

/** All spill files of a world together (bytes): they live in its bounded tmpfs. */
const totalBudgetBytes = 128 * 1024 * 1024;
const kept: SpillFile[] = [];

/** The whole of a stream that outgrew its tail, in a private file with an unguessable name. Over its limit, or when writing fails, it is dropped. */
export class SpillFile {
  readonly path = join(spillDir, `${randomBytes(18).toString("base64url")}.txt`);
  private readonly fd: number;
  private readonly maxBytes: number;
  private size = 0;
  private state: "open" | "closed" | "dropped" = "open";

  private constructor(maxBytes: number) {
    mkdirSync(spillDir, { recursive: true, mode: 0o700 });
    this.fd = openSync(this.path, "wx", 0o600);
    this.maxBytes = maxBytes;
  }

  /** Null when it cannot be made; the output is then kept as a tail only. */
  static create(maxBytes: number): SpillFile | null {
    try {
      return new SpillFile(maxBytes);
    } catch {
      return null; // no room, or no folder: the caller reports the file as unavailable
    }
  }

  add(bytes: Buffer): void {
    if (this.state !== "open") return;
    this.size += bytes.length;
    if (this.size > this.maxBytes || !makeRoom()) {
      this.drop();
      return;
    }
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at);
    } catch {
      this.drop(); // the disk is full: half a file is worth less than none
    }
  }

  /** The path, if the whole stream is in the file. */
  finish(): string | undefined {
    if (this.state !== "open") return undefined;
    this.state = "closed";
    try {
      closeSync(this.fd);
    } catch {
      this.remove();
      return undefined;
    }
    kept.push(this);
    return this.path;
  }

  get bytes(): number {
    return this.size;
  }

  remove(): void {
    this.state = "dropped";
    try {
      unlinkSync(this.path);
    } catch {
      // the agent may have deleted it itself
    }
  }

  private drop(): void {
    closeSync(this.fd);
    this.remove();
  }
}

/** Deletes the oldest finished files until the budget holds. */
function makeRoom(): boolean {
  let total = kept.reduce((sum, file) => sum + file.bytes, 0);
  while (total > totalBudgetBytes / 2) {
    const oldest = kept.shift();
    if (!oldest) return false;
    oldest.remove();
    total -= oldest.bytes;
  }
  return true;
}
