import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

// an answer that was cut ends where it was cut, as an unpacked one does
const gzip = { finishFlush: constants.Z_SYNC_FLUSH };
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(gzip),
  "x-gzip": () => createGunzip(gzip),
  deflate: () => createInflate(gzip),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** The content of an answer. Nobody asks for a packed one, and some proxies pack all the same. */
export function unpacked(response: IncomingMessage): Readable {
  const unpack = unpackers[response.headers["content-encoding"]?.trim().toLowerCase() ?? ""];
  if (!unpack) return response;
  return pipeline(response, unpack(), () => {}); // what goes wrong is told to whoever reads
}
