import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { type EntryKind, refuse } from "./checks.ts";
import type { StagedTree } from "./tree.ts";

const kinds: Partial<Record<string, EntryKind>> = {
  file: "file",
  "contiguous-file": "file",
  directory: "directory",
  symlink: "symlink",
  link: "hardlink",
};

/** Unpacks as the bytes come. Devices, FIFOs and whatever else is no file, folder or link are refused. */
export async function unpackTar(source: Readable, tree: StagedTree, isCompressed: boolean): Promise<void> {
  const entries = extract();
  const fed = isCompressed ? pipeline(source, createGunzip(), entries) : pipeline(source, entries);
  const placed = place(entries, tree);
  // whichever fails first must stop the other
  fed.catch((error: Error) => entries.destroy(error));
  placed.catch((error: Error) => source.destroy(error));
  const [feeding, placing] = await Promise.allSettled([fed, placed]);
  if (placing.status === "rejected") throw placing.reason;
  if (feeding.status === "rejected") throw feeding.reason;
}

async function place(entries: ReturnType<typeof extract>, tree: StagedTree): Promise<void> {
  for await (const entry of entries) {
    const { name, type, mode, linkname } = entry.header;
    const kind = kinds[type ?? "file"];
    if (!kind) throw refuse("it contains a device, a pipe or another special file");
    await tree.place(
      { name, kind, mode: mode ?? 0o644, linkTarget: linkname ?? "" },
      kind === "file" ? (entry as AsyncIterable<Buffer>) : null,
    );
    entry.resume();
  }
}
