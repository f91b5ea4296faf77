import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";
import { pack } from "tar-stream";

export type TarEntry = {
  name: string;
  type?: "file" | "directory" | "symlink" | "link" | "block-device" | "fifo";
  content?: string | Buffer;
  mode?: number;
  linkname?: string;
};

/** `raw` writes names as they are: the library would make them harmless. */
export async function tar(entries: TarEntry[], { raw = false } = {}): Promise<Buffer> {
  const packing = pack();
  const chunks: Buffer[] = [];
  packing.on("data", (chunk) => void chunks.push(chunk as Buffer));
  const done = new Promise<void>((resolve) => packing.on("end", () => resolve()));
  for (const { name, type = "file", content = "", mode, linkname } of entries) {
    const header = { name, type, ...(mode !== undefined && { mode }), ...(linkname !== undefined && { linkname }) };
    packing.entry(type === "file" ? header : { ...header, size: 0 }, type === "file" ? content : "");
  }
  packing.finalize();
  await done;
  const bytes = Buffer.concat(chunks);
  return raw ? withRawNames(bytes, entries) : bytes;
}

/** Writes name and link name of the first headers again, with their checksums. Contents here are of one block or none. */
function withRawNames(bytes: Buffer, entries: TarEntry[]): Buffer {
  let at = 0;
  for (const { name, content = "", linkname } of entries) {
    bytes.fill(0, at, at + 100).write(name, at);
    if (linkname !== undefined) bytes.fill(0, at + 157, at + 257).write(linkname, at + 157);
    bytes.fill(" ", at + 148, at + 156);
    const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148);
    at += 512 + (content.length > 0 ? 512 : 0);
  }
  return bytes;
}

/** A zip with Unix modes, names as given. */
export function zip(entries: TarEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = zipEntry(entry, offset);
    parts.push(local);
    directory.push(central);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

function zipEntry(
  { name, type = "file", content = "", mode, linkname = "" }: TarEntry,
  offset: number,
): { local: Buffer; central: Buffer } {
  const format = { file: 0o100000, directory: 0o040000, symlink: 0o120000, link: 0, "block-device": 0o060000, fifo: 0o010000 }[type];
  const bytes = Buffer.from(type === "symlink" ? linkname : content);
  const packed = deflateRawSync(bytes);
  const path = Buffer.from(name);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, path, packed]);
  const tail = Buffer.alloc(14); // comment length, disk, internal attributes, mode, offset
  tail.writeUInt32LE(((format | (mode ?? 0o644)) << 16) >>> 0, 6);
  tail.writeUInt32LE(offset, 10);
  const madeOnUnix = Buffer.from([20, 3]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), madeOnUnix, fields, tail, path]);
  return { local, central };
}
