import { opendirSync, readSync } from "node:fs";
import type { FsEntry, FsTarget } from "../../types.ts";
import { coded, Failure } from "../failure.ts";
import { freshKey } from "./paths.ts";
import { versionOf, withFile } from "./stat.ts";
import { decodeText } from "./text.ts";

/** A directory with more entries is listed from the part that was read. */
const maxScannedEntries = 200_000;

/** @throws Failure FS_TOO_LARGE beyond `maxBytes`, also when the file grows while it is read (D.4) */
export function readBytes(target: FsTarget, maxBytes: number): { bytes: Buffer; size: number; version: string } {
  return withFile(target, (fd, stats) => {
    if (stats.size > BigInt(maxBytes)) throw tooLarge(target, maxBytes);
    const bytes = readAll(fd, maxBytes + 1);
    if (bytes.length > maxBytes) throw tooLarge(target, maxBytes);
    return { bytes, size: bytes.length, version: versionOf(stats) };
  });
}

export function readText(target: FsTarget, maxBytes: number): { text: string; size: number; version: string } {
  const { bytes, size, version } = readBytes(target, maxBytes);
  const text = decodeText(bytes);
  if (text === null) throw new Failure("FS_NOT_TEXT", `${target.displayPath}: is not UTF-8 text`);
  return { text, size, version };
}

export function readAll(fd: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(256 * 1024, limit - total));
    const got = readSync(fd, chunk, 0, chunk.length, null);
    if (got === 0) break;
    chunks.push(chunk.subarray(0, got));
    total += got;
  }
  return Buffer.concat(chunks, total);
}

export function listDir(target: FsTarget, limit: number): { entries: FsEntry[]; truncated: boolean } {
  return coded(target.displayPath, () => {
    const dir = opendirSync(freshKey(target), { bufferSize: 512 });
    try {
      const entries: FsEntry[] = [];
      for (let entry = dir.readSync(); entry && entries.length < maxScannedEntries; entry = dir.readSync()) {
        const type = entry.isFile() ? "file" : entry.isDirectory() ? "directory" : entry.isSymbolicLink() ? "symlink" : "other";
        entries.push({ name: entry.name, type });
      }
      entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
      return { entries: entries.slice(0, limit), truncated: entries.length > limit || entries.length === maxScannedEntries };
    } finally {
      dir.closeSync();
    }
  });
}

function tooLarge(target: FsTarget, maxBytes: number): Failure {
  return new Failure("FS_TOO_LARGE", `${target.displayPath}: is larger than ${maxBytes} bytes`);
}
