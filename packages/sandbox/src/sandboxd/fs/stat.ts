import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import type { FsStat, FsTarget } from "../../types.ts";
import { coded, Failure, fsFailure } from "../failure.ts";
import { freshKey, isKernelFile } from "./paths.ts";

/** Changes with every change of the content: a same-size rewrite with a restored mtime still moves the ctime (EX-138). */
export function versionOf(stats: BigIntStats): string {
  const facts = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
  return createHash("sha1").update(facts).digest("base64url");
}

export function statTarget(target: FsTarget): FsStat | null {
  const key = freshKey(target);
  try {
    return describe(statSync(key, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fsFailure(error, target.displayPath);
  }
}

export function describe(stats: BigIntStats): FsStat {
  const version = versionOf(stats);
  if (stats.isFile()) return { type: "file", size: Number(stats.size), version };
  return { type: stats.isDirectory() ? "directory" : "other", version };
}

/** Opens a regular file for reading and hands it over; a FIFO or device never blocks or answers. @throws Failure */
export function withFile<T>(target: FsTarget, use: (fd: number, stats: BigIntStats) => T): T {
  return coded(target.displayPath, () => {
    const fd = openSync(freshKey(target), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      return use(fd, regular(fd, target));
    } finally {
      closeSync(fd);
    }
  });
}

/** As `withFile`, for work that gives the loop a turn between its reads. */
export async function withFileAsync<T>(target: FsTarget, use: (fd: number, stats: BigIntStats) => Promise<T>): Promise<T> {
  const fd = coded(target.displayPath, () => openSync(freshKey(target), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  try {
    return await use(fd, regular(fd, target));
  } catch (error) {
    throw fsFailure(error, target.displayPath);
  } finally {
    closeSync(fd);
  }
}

function regular(fd: number, target: FsTarget): BigIntStats {
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile() || isKernelFile(stats.dev)) {
    const what = stats.isDirectory() ? "is a directory" : "is not a regular file";
    throw new Failure("FS_NOT_REGULAR_FILE", `${target.displayPath}: ${what}`);
  }
  return stats;
}
