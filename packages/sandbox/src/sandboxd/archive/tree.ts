import { chmodSync, closeSync, linkSync, mkdirSync, openSync, rmSync, symlinkSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fsFailure, isSystemError } from "../failure.ts";
import { checkLink, checkMode, type EntryKind, type Meter, refuse, safeSegments } from "./checks.ts";

export type Entry = { name: string; kind: EntryKind; mode: number; linkTarget: string };

/** Entries are placed below a private staging folder; nothing outside of it is touched before the whole archive has passed. */
export class StagedTree {
  readonly root: string;
  private readonly meter: Meter;
  private readonly kinds = new Map<string, EntryKind>();
  private readonly links = new Map<string, string>();

  constructor(root: string, meter: Meter) {
    this.root = root;
    this.meter = meter;
    mkdirSync(root);
  }

  /** Checks and places one entry; a file's content follows through `content`. @throws Failure ARCHIVE_REFUSED, FS_NO_SPACE */
  async place(entry: Entry, content: AsyncIterable<Buffer> | null): Promise<void> {
    this.meter.countEntry();
    const segments = safeSegments(entry.name);
    if (segments.length === 0) return; // the root itself
    checkMode(entry.kind, entry.mode);
    try {
      this.makeParents(segments);
      this.makeWay(segments.join("/"), entry.kind);
      await this.create(segments, entry, content);
    } catch (error) {
      // everything else is the unpacker's word on the archive
      throw isSystemError(error) ? fsFailure(error, segments.join("/")) : error;
    }
    this.kinds.set(segments.join("/"), entry.kind);
  }

  /** The single top-level folder, if everything is in one. */
  singleTop(): string | null {
    const tops = new Set([...this.kinds.keys()].map((path) => path.split("/")[0] ?? ""));
    const [only] = tops;
    return tops.size === 1 && only !== undefined && this.kinds.get(only) === "directory" ? only : null;
  }

  /** Links must stay inside also when `top` is stripped. @throws Failure ARCHIVE_REFUSED */
  recheckLinks(top: string | null): void {
    if (top === null) return;
    for (const [path, target] of this.links) checkLink(path.split("/").slice(1), target);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private makeParents(segments: readonly string[]): void {
    for (let depth = 1; depth < segments.length; depth += 1) {
      const path = segments.slice(0, depth).join("/");
      const kind = this.kinds.get(path);
      if (kind === undefined) {
        mkdirSync(join(this.root, path));
        this.kinds.set(path, "directory");
      } else if (kind !== "directory") throw refuse("an entry lies below a file or a link");
    }
  }

  /** A later file may replace an earlier one, as archives that were appended to have it; nothing else may repeat. */
  private makeWay(path: string, kind: EntryKind): void {
    const before = this.kinds.get(path);
    if (before === undefined || (before === "directory" && kind === "directory")) return;
    if (before !== "file" || kind !== "file") throw refuse("two entries have the same name");
    unlinkSync(join(this.root, path));
  }

  private async create(segments: readonly string[], entry: Entry, content: AsyncIterable<Buffer> | null): Promise<void> {
    const path = join(this.root, ...segments);
    if (entry.kind === "directory") {
      if (!this.kinds.has(segments.join("/"))) mkdirSync(path);
    } else if (entry.kind === "symlink") {
      checkLink(segments, entry.linkTarget);
      symlinkSync(entry.linkTarget, path);
      this.links.set(segments.join("/"), entry.linkTarget);
    } else if (entry.kind === "hardlink") {
      const target = safeSegments(entry.linkTarget).join("/");
      if (this.kinds.get(target) !== "file") throw refuse("a hard link points to something that is no file of the archive");
      linkSync(join(this.root, target), path);
    } else await this.write(path, entry.mode, content);
  }

  private async write(path: string, mode: number, content: AsyncIterable<Buffer> | null): Promise<void> {
    const fd = openSync(path, "wx", 0o600);
    try {
      for await (const chunk of content ?? []) {
        this.meter.countOutput(chunk.length);
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
      }
    } finally {
      closeSync(fd);
    }
    chmodSync(path, (mode & 0o111) === 0 ? 0o664 : 0o775);
  }
}
