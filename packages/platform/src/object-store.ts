import { join } from "node:path";
import type { Readable } from "node:stream";
import { type Env, loadEnv } from "./env.ts";
import { folderStore } from "./folder-store.ts";

export type PutOptions = { readonly maxBytes?: number; readonly signal?: AbortSignal };

/** Bytes by key. Keys are slash-separated names of `A-Z a-z 0-9 . _ -`, none starting with a dot, and begin with the org's id. */
export type ObjectStore = {
  /** Stores the whole source or nothing; an existing object is replaced. @throws UPLOAD_TOO_LARGE as soon as `maxBytes` is passed */
  put(key: string, source: Readable | Buffer, options?: PutOptions): Promise<{ bytes: number }>;
  /** @throws NOT_FOUND */
  get(key: string): Promise<Readable>;
  /** Size in bytes. @throws NOT_FOUND */
  size(key: string): Promise<number>;
  /** Removes the object; without one it does nothing. */
  delete(key: string): Promise<void>;
};

/** The installation's object store: the folder `objects` below GANTRY_DATA_DIR. */
export function objectStore({ GANTRY_DATA_DIR }: Pick<Env, "GANTRY_DATA_DIR"> = loadEnv()): ObjectStore {
  return folderStore(join(GANTRY_DATA_DIR, "objects"));
}
