import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { OpArgs, OpResult } from "../../protocol/ops.ts";
import { Failure, fsFailure, isSystemError } from "../failure.ts";
import { workspaceDir } from "../settings.ts";
import { Meter, refuse } from "./checks.ts";
import { unpackTar } from "./tar.ts";
import { StagedTree } from "./tree.ts";
import { unpackZip } from "./zip.ts";

const stagingPrefix = ".gantry-import-";
const leftoverMs = 60 * 60_000;

/** One archive on its way into the workspace: unpacked beside it, checked, then moved in by renames. A refused archive leaves nothing. */
export class Import {
  private readonly staging: string;
  private readonly meter: Meter;
  private readonly tree: StagedTree;
  private readonly source = new PassThrough();
  private readonly zipFd: number | null;
  private readonly unpacked: Promise<void>;
  private failure: Error | null = null;

  constructor(id: string, { format, maxBytes, maxEntries }: OpArgs["archive.open"]) {
    this.meter = new Meter({ maxBytes, maxEntries });
    this.staging = join(workspaceDir, `${stagingPrefix}${id}`);
    try {
      removeLeftovers();
      mkdirSync(this.staging, { mode: 0o700 });
      this.tree = new StagedTree(join(this.staging, "tree"), this.meter);
      this.zipFd = format === "zip" ? openSync(join(this.staging, "archive.zip"), "wx+", 0o600) : null;
    } catch (error) {
      throw told(error);
    }
    this.source.on("error", () => {}); // the failure itself is what `unpacked` rejects with
    this.unpacked = this.zipFd === null ? unpackTar(this.source, this.tree, format === "tar.gz") : Promise.resolve();
    this.unpacked.catch((error: Error) => {
      this.failure ??= error;
    });
  }

  /** Returns when there is room for more. @throws Failure ARCHIVE_REFUSED, QUOTA_EXCEEDED */
  async add(bytes: Buffer): Promise<void> {
    try {
      if (this.failure) throw this.failure;
      this.meter.countInput(bytes.length);
      if (this.zipFd !== null) for (let at = 0; at < bytes.length; ) at += writeSync(this.zipFd, bytes, at);
      else if (!this.source.write(bytes)) await this.room();
    } catch (error) {
      this.failure ??= error as Error;
      throw told(error);
    }
  }

  async finish(): Promise<OpResult<"archive.end">> {
    try {
      if (this.failure) throw this.failure;
      this.source.end();
      await this.unpacked;
      if (this.zipFd !== null) await unpackZip(this.zipFd, this.tree);
      const top = this.tree.singleTop();
      this.tree.recheckLinks(top);
      moveIn(top === null ? this.tree.root : join(this.tree.root, top));
      return { entries: this.meter.entries, bytes: this.meter.outBytes };
    } catch (error) {
      throw told(error);
    } finally {
      this.clean();
    }
  }

  async abort(): Promise<void> {
    this.source.destroy();
    await this.unpacked.catch(() => {}); // it was told to the caller, or is what the caller gave up
    this.clean();
  }

  private async room(): Promise<void> {
    await Promise.race([new Promise((resolve) => this.source.once("drain", resolve).once("close", resolve)), this.unpacked]);
    if (this.failure) throw this.failure;
  }

  private clean(): void {
    if (this.zipFd !== null) closeSync(this.zipFd);
    rmSync(this.staging, { recursive: true, force: true });
  }
}

/** All of it or nothing: what is there already is seen before the first rename, and a failed rename takes the earlier ones back. */
function moveIn(from: string): void {
  const names = readdirSync(from);
  const taken = names.find((name) => lstatSync(join(workspaceDir, name), { throwIfNoEntry: false }));
  if (taken !== undefined) throw new Failure("CONFLICT", `${taken} is in the workspace already. Import into an empty workspace.`);
  const moved: string[] = [];
  try {
    for (const name of names) {
      renameSync(join(from, name), join(workspaceDir, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) renameSync(join(workspaceDir, name), join(from, name));
    throw error;
  }
}

/** What imports left that died with their worlds; a younger folder may be at work in another world. */
function removeLeftovers(): void {
  for (const name of readdirSync(workspaceDir)) {
    const path = join(workspaceDir, name);
    if (name.startsWith(stagingPrefix) && Date.now() - lstatSync(path).mtimeMs > leftoverMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Whatever the unpackers throw, in the words of an import. */
function told(error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "FS_NO_SPACE" || code === "ENOSPC" || code === "EDQUOT")
    return new Failure("QUOTA_EXCEEDED", "The archive does not fit into the workspace's disk quota. Nothing of it was kept.");
  if (error instanceof Failure) return error;
  if (isSystemError(error)) return fsFailure(error, "/workspace");
  return refuse("it is damaged or not of the format its name says");
}
