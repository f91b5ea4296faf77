import { Failure } from "../failure.ts";

/** What an entry of an archive may be here. */
export type EntryKind = "file" | "directory" | "symlink" | "hardlink";

export function refuse(why: string): Failure {
  return new Failure("ARCHIVE_REFUSED", `The archive was refused: ${why}. Nothing of it was kept.`);
}

/** The segments of an entry's name below the root. @throws Failure for a name that leaves the root or that no file can have (SC-F3) */
export function safeSegments(name: string): string[] {
  if (name.includes("\0")) throw refuse("a name contains NUL");
  if (name.startsWith("/") || /^[a-z]:[\\/]/i.test(name)) throw refuse("it names an absolute path");
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw refuse("a name leads out of its folder");
  if (Buffer.byteLength(name) > 3500 || segments.some((segment) => Buffer.byteLength(segment) > 255)) throw refuse("a name is too long");
  return segments;
}

/**
 * Refuses a link that could lead out of the root. `..` may stand only at the start: after another link in the middle of the target it would
 * count from where that one leads. Entries are never written below a link, so leading `..` count real folders.
 */
export function checkLink(segments: readonly string[], target: string): void {
  if (target === "" || target.includes("\0") || Buffer.byteLength(target) > 3500) throw refuse("a link has no usable target");
  if (target.startsWith("/")) throw refuse("a link points to an absolute path");
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const ups = parts.findIndex((part) => part !== "..");
  const leading = ups < 0 ? parts.length : ups;
  if (parts.slice(leading).includes("..") || leading > segments.length - 1) throw refuse("a link leads out of its folder");
}

/** @throws Failure for file modes that would hand on rights */
export function checkMode(kind: EntryKind, mode: number): void {
  if (kind === "file" && (mode & 0o6000) !== 0) throw refuse("a file has the setuid or setgid bit");
}

/** Output may be this many times the input once it is larger than the floor; text seldom reaches 20. */
const maxRatio = 100;
const ratioFloorBytes = 16 * 1024 * 1024;

/** Counts what comes in and what goes out, and stops a bomb while it goes off (SC-F4). */
export class Meter {
  entries = 0;
  outBytes = 0;
  inBytes = 0;
  private readonly limits: { maxBytes: number; maxEntries: number };

  constructor(limits: { maxBytes: number; maxEntries: number }) {
    this.limits = limits;
  }

  countInput(bytes: number): void {
    this.inBytes += bytes;
    if (this.inBytes > this.limits.maxBytes) throw this.tooLarge();
  }

  countEntry(): void {
    this.entries += 1;
    if (this.entries > this.limits.maxEntries) throw refuse(`it has more than ${this.limits.maxEntries} entries`);
  }

  /** Before the bytes are written, so that the limit is never passed. */
  countOutput(bytes: number): void {
    this.outBytes += bytes;
    if (this.outBytes > this.limits.maxBytes) throw this.tooLarge();
    if (this.outBytes > ratioFloorBytes && this.outBytes > this.inBytes * maxRatio) throw refuse("it unpacks to far more than it holds");
  }

  private tooLarge(): Failure {
    return refuse(`it is larger than ${Math.floor(this.limits.maxBytes / 1024 / 1024)} MB unpacked`);
  }
}
