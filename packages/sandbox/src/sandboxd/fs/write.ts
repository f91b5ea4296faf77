import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { FsTarget, SandboxMode, WriteIntent, WriteOutcome } from "../../types.ts";
import { coded, Failure } from "../failure.ts";
import { isDanglingLink, writableKey } from "./paths.ts";
import { readBytes } from "./read.ts";
import { versionOf } from "./stat.ts";
import { decodeText, toLf } from "./text.ts";

/** With a side this large (bytes) the outcome carries no prior text (EX-147). */
export const maxDiffBytes = 10 * 1024 * 1024;
/** Readable and writable for the group: sessions of a workspace run under different uids. */
const newFileMode = 0o664;

/**
 * Replaces or creates a file in one step: a reader sees the old or the new content, never a part. Parents are created, a link is written
 * through, permission bits stay. It runs without a pause, so writes to one target follow each other in the order they came (EX-141).
 * @throws Failure FS_STALE_VERSION, FS_NOT_OBSERVED, FS_NOT_REGULAR_FILE, FS_SANDBOX_DENIED, FS_NO_SPACE …
 */
export function writeText(target: FsTarget, content: string, intent: WriteIntent | null, mode: SandboxMode): Omit<WriteOutcome, "after"> {
  return coded(target.displayPath, () => {
    const key = writableKey(target, mode);
    const prior = priorState(key, target);
    checkIntent(prior, intent, target);
    const bytes = Buffer.from(content);
    const before = prior && bytes.length < maxDiffBytes ? priorText(target, prior) : null;
    const version = publish(key, bytes, prior, target);
    return { operation: prior ? "update" : "create", before, version };
  });
}

/** The file that is there, or null. @throws Failure FS_NOT_REGULAR_FILE for anything else, a dangling link too (EX-142) */
export function priorState(key: string, target: FsTarget): BigIntStats | null {
  const stats = statSync(key, { bigint: true, throwIfNoEntry: false });
  if (stats?.isFile()) return stats;
  if (stats)
    throw new Failure("FS_NOT_REGULAR_FILE", `${target.displayPath}: is ${stats.isDirectory() ? "a directory" : "not a regular file"}`);
  if (isDanglingLink(key)) throw new Failure("FS_NOT_REGULAR_FILE", `${target.displayPath}: is a link to a file that does not exist`);
  return null;
}

export function checkIntent(prior: BigIntStats | null, intent: WriteIntent | null, target: FsTarget): void {
  if (intent?.kind === "createIfAbsent" && prior) throw new Failure("FS_NOT_OBSERVED", `${target.displayPath}: exists already`);
  if (intent?.kind === "replaceIfVersion" && (!prior || versionOf(prior) !== intent.version))
    throw new Failure("FS_STALE_VERSION", `${target.displayPath}: has changed since it was read`);
}

/** Writes beside the target, then puts it in place; nothing is left behind when a step fails (EX-145). Answers the new version. */
export function publish(key: string, bytes: Buffer, prior: BigIntStats | null, target: FsTarget): string {
  const parent = dirname(key);
  mkdirSync(parent, { recursive: true, mode: 0o2775 });
  const staging = join(parent, `.gantry-${randomBytes(9).toString("base64url")}`);
  mkdirSync(staging, { mode: 0o700 });
  const temporary = join(staging, "new");
  try {
    writeDurably(temporary, bytes, prior ? Number(prior.mode & 0o777n) : newFileMode);
    if (prior) renameSync(temporary, key);
    else linkNew(temporary, key, target);
  } finally {
    quietly(() => unlinkSync(temporary)); // gone already after a rename
    quietly(() => rmdirSync(staging));
  }
  return versionOf(lstatSync(key, { bigint: true }));
}

/** Publishes without ever replacing: who loses a race against another creator is told so. */
function linkNew(temporary: string, key: string, target: FsTarget): void {
  try {
    linkSync(temporary, key);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const isFile = lstatSync(key, { throwIfNoEntry: false })?.isFile() ?? false;
    throw new Failure(isFile ? "FS_NOT_OBSERVED" : "FS_NOT_REGULAR_FILE", `${target.displayPath}: was created by someone else just now`);
  }
}

function writeDurably(path: string, bytes: Buffer, mode: number): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function priorText(target: FsTarget, prior: BigIntStats): string | null {
  if (prior.size >= BigInt(maxDiffBytes)) return null;
  try {
    const text = decodeText(readBytes(target, maxDiffBytes).bytes);
    return text === null ? null : toLf(text);
  } catch {
    return null; // unreadable prior content is no reason to refuse the write
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // cleaning up after the fact: the write has succeeded or its own error is on the way
  }
}
