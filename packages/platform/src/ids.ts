import { createHash, randomUUIDv7 } from "node:crypto";

/** A new id (UUID version 7: sorted by the millisecond it was made). */
export function newId<T extends string = string>(): T {
  return randomUUIDv7() as string as T;
}

/** The id that belongs to a name, the same each time (UUID version 8: its bits are of a sha-256). */
export function derivedId<T extends string = string>(name: string): T {
  const bytes = createHash("sha256").update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") as T;
}
