import { constants } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "@gantry/contracts";
import { newId } from "./ids.ts";
import type { ObjectStore, PutOptions } from "./object-store.ts";

const maxKeyChars = 512;
const segment = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}";
const keyPattern = new RegExp(`^${segment}(/${segment})*$`);
const noFollow = constants.O_RDONLY | constants.O_NOFOLLOW;

/** An object store in a folder. Writes go to a file beside the objects and are renamed into place, so a reader never sees half an object. */
export function folderStore(root: string): ObjectStore {
  return {
    put: (key, source, options = {}) => put(root, pathOf(root, key), source, options),
    async get(key) {
      const file = await open(pathOf(root, key), noFollow).catch(notFound);
      return file.createReadStream();
    },
    async size(key) {
      return (await stat(pathOf(root, key)).catch(notFound)).size;
    },
    delete: (key) => rm(pathOf(root, key), { force: true }),
  };
}

async function put(root: string, target: string, source: Readable | Buffer, { maxBytes, signal }: PutOptions): Promise<{ bytes: number }> {
  // no key can name this folder, because no segment of a key starts with a dot
  const partial = join(root, ".partial", newId());
  await mkdir(dirname(partial), { recursive: true });
  await mkdir(dirname(target), { recursive: true });
  const counter = cappedCounter(maxBytes ?? Number.POSITIVE_INFINITY);
  const file = await open(partial, "wx", 0o600);
  try {
    const input = Buffer.isBuffer(source) ? Readable.from([source]) : source;
    // flush: on the disk before the name points at it
    await pipeline(input, counter.stream, file.createWriteStream({ flush: true }), signal ? { signal } : {});
    await rename(partial, target);
    return { bytes: counter.bytes() };
  } catch (error) {
    await file.close().catch(() => {}); // it may be closed already
    await rm(partial, { force: true });
    throw error;
  }
}

function cappedCounter(maxBytes: number): { stream: Transform; bytes: () => number } {
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        done(new AppError("UPLOAD_TOO_LARGE", `The file is larger than the ${maxBytes} bytes allowed. Send a smaller one.`));
      else done(null, chunk);
    },
  });
  return { stream, bytes: () => bytes };
}

function pathOf(root: string, key: string): string {
  if (key.length > maxKeyChars || !keyPattern.test(key))
    throw new AppError("BAD_REQUEST", "An object key has characters or a form that is not allowed.");
  return join(root, key);
}

function notFound(cause: NodeJS.ErrnoException): never {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR") throw new AppError("NOT_FOUND", "There is no such stored object.", { cause });
  throw cause;
}
