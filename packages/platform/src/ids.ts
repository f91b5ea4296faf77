import { randomUUIDv7 } from "node:crypto";

/** A new id (UUID version 7: sorted by the millisecond it was made). */
export function newId<T extends string = string>(): T {
  return randomUUIDv7() as string as T;
}
