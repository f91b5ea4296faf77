import type { Readable } from "node:stream";
import { type Entry, fromFd, type ZipFile } from "yauzl";
import { type EntryKind, refuse } from "./checks.ts";
import type { StagedTree } from "./tree.ts";

const formatMask = 0o170000;
// a Map: as keys of an object the formatter rewrites octal numbers, and wrongly
const kinds = new Map<number, EntryKind>([
  [0, "file"],
  [0o100000, "file"],
  [0o040000, "directory"],
  [0o120000, "symlink"],
]);
const maxLinkBytes = 3500;

/** Unpacks a zip from its file, entry by entry of its directory. Encrypted entries are refused. */
export async function unpackZip(fd: number, tree: StagedTree): Promise<void> {
  const zip = await open(fd);
  await new Promise<void>((resolve, reject) => {
    zip.on("error", reject);
    zip.on("end", resolve);
    zip.on("entry", (entry: Entry) => {
      placeEntry(zip, entry, tree).then(() => zip.readEntry(), reject);
    });
    zip.readEntry();
  });
}

async function placeEntry(zip: ZipFile, entry: Entry, tree: StagedTree): Promise<void> {
  if ((entry.generalPurposeBitFlag & 1) !== 0) throw refuse("it is encrypted");
  const madeOnUnix = entry.versionMadeBy >> 8 === 3;
  const mode = madeOnUnix ? entry.externalFileAttributes >>> 16 : 0;
  const kind = entry.fileName.endsWith("/") ? "directory" : kinds.get(mode & formatMask);
  if (!kind) throw refuse("it contains a device, a pipe or another special file");
  const isEmpty = kind === "directory";
  const content = isEmpty ? null : await openContent(zip, entry);
  const linkTarget = kind === "symlink" && content ? await readShort(content) : "";
  await tree.place({ name: entry.fileName, kind, mode, linkTarget }, kind === "file" ? content : null);
}

function open(fd: number): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromFd(fd, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

function openContent(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

async function readShort(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxLinkBytes) throw refuse("a link has no usable target");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
