/** What is taken in; a GIF is not kept as one. */
export type AnyImageType = "image/png" | "image/jpeg" | "image/webp" | "image/gif";

/** What the first bytes and the structure say, before anything is decoded. */
export type ImageHead = {
  /** pixels, not yet turned by EXIF */
  readonly width: number;
  readonly height: number;
  /** 8 bit, still, complete, without metadata and without a byte that is no picture: may be kept as it is */
  readonly isPlain: boolean;
};

/** The format by its signature, whatever its name or header say. */
export function imageTypeOf(bytes: Buffer): AnyImageType | null {
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))) return "image/jpeg";
  if (/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return "image/gif";
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP" ? "image/webp" : null;
}
