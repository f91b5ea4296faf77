import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { FileWindow, FsTarget, WindowRequest } from "../../types.ts";
import { Failure } from "../failure.ts";
import { versionOf, withFileAsync } from "./stat.ts";
import { binaryProbeBytes } from "./text.ts";

const chunkBytes = 256 * 1024;

/**
 * Lines of a window, counted to the end of the file, in memory that depends neither on the file's size nor on the length of its lines.
 * Gives other requests a turn between chunks and stops when cancelled. @throws Failure FS_NOT_TEXT, FS_ABORTED
 */
export function readWindow(target: FsTarget, window: WindowRequest, isCancelled: () => boolean): Promise<FileWindow> {
  return withFileAsync(target, async (fd, stats) => {
    const collector = new WindowCollector(window);
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let size = 0;
    for (let got = readSync(fd, chunk, 0, chunkBytes, null); ; got = readSync(fd, chunk, 0, chunkBytes, null)) {
      if (isCancelled()) throw new Failure("FS_ABORTED", `${target.displayPath}: reading was cancelled`);
      const bytes = chunk.subarray(0, got);
      if (size < binaryProbeBytes && bytes.subarray(0, binaryProbeBytes - size).includes(0)) throw notText(target);
      size += got;
      try {
        collector.add(decoder.decode(bytes, { stream: got > 0 }));
      } catch {
        throw notText(target); // not UTF-8
      }
      if (got === 0) break;
      if (size % (4 * chunkBytes) === 0) await setImmediate();
    }
    return { ...collector.finish(), size, version: versionOf(stats) };
  });
}

function notText(target: FsTarget): Failure {
  return new Failure("FS_NOT_TEXT", `${target.displayPath}: is not UTF-8 text`);
}

class WindowCollector {
  private readonly window: WindowRequest;
  private readonly lines: string[] = [];
  private readonly cutLines: number[] = [];
  private lineNumber = 1;
  private head = "";
  private headIsCut = false;
  private lineIsOpen = false;
  private bytes = 0;
  private capped = false;

  constructor(window: WindowRequest) {
    this.window = window;
  }

  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.extend(text, from, end);
      this.endLine();
      from = end + 1;
    }
    if (from < text.length) this.extend(text, from, text.length);
  }

  finish(): Omit<FileWindow, "size" | "version"> {
    if (this.lineIsOpen) this.endLine();
    return { lines: this.lines, cutLines: this.cutLines, totalLines: this.lineNumber - 1, cappedByBytes: this.capped };
  }

  private extend(text: string, from: number, to: number): void {
    this.lineIsOpen = true;
    if (!this.isWanted() || this.headIsCut) return;
    // one more than is kept: the last may be the CR that is dropped
    const room = this.window.maxLineChars + 1 - this.head.length;
    this.head += text.slice(from, Math.min(to, from + room));
    if (to - from > room) this.headIsCut = true;
  }

  private endLine(): void {
    if (this.isWanted()) this.keep();
    this.lineNumber += 1;
    this.head = "";
    this.headIsCut = false;
    this.lineIsOpen = false;
  }

  private isWanted(): boolean {
    const index = this.lineNumber - this.window.offset;
    return index >= 0 && index < this.window.limit && !this.capped;
  }

  private keep(): void {
    const line = this.headIsCut ? this.head : this.head.replace(/\r$/, "");
    const isCut = line.length > this.window.maxLineChars;
    const kept = isCut ? line.slice(0, this.window.maxLineChars).replace(/[\ud800-\udbff]$/, "") : line; // no half of a character
    const bytes = Buffer.byteLength(kept) + (isCut ? (this.window.cutMarkerBytes ?? 0) : 0) + (this.lines.length > 0 ? 1 : 0);
    if (this.bytes + bytes > this.window.maxBytes) {
      this.capped = true;
      return;
    }
    this.bytes += bytes;
    if (isCut) this.cutLines.push(this.lines.length);
    this.lines.push(kept);
  }
}
