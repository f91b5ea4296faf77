import { KernelError } from "./errors.ts";

/** Undoes one insertion; a repeat does nothing. */
export type Remove = () => void;

/** A table of a layer. */
export interface EntryTable {
  readonly size: number;
}

/** Entries by name, in order of insertion; a name is held once. */
export class NamedEntries<V> implements EntryTable {
  private readonly entries = new Map<string, { readonly value: V }>();

  get size(): number {
    return this.entries.size;
  }
  /** @throws NAME_TAKEN */
  add(name: string, value: V): Remove {
    if (this.entries.has(name)) throw new KernelError("NAME_TAKEN", `"${name}" is already registered in this scope.`);
    // A box of its own: an undo kept from an earlier life must not remove a later entry of the same name.
    const entry = { value };
    this.entries.set(name, entry);
    return () => {
      if (this.entries.get(name) === entry) this.entries.delete(name);
    };
  }
  has(name: string): boolean {
    return this.entries.has(name);
  }
  get(name: string): V | undefined {
    return this.entries.get(name)?.value;
  }
  *[Symbol.iterator](): IterableIterator<[string, V]> {
    for (const [name, { value }] of this.entries) yield [name, value];
  }
}

/** Entries without a name, in order of insertion; equal values are separate entries. */
export class AnonymousEntries<V> implements EntryTable {
  private readonly entries = new Set<{ readonly value: V }>();

  get size(): number {
    return this.entries.size;
  }
  add(value: V): Remove {
    const entry = { value };
    this.entries.add(entry);
    return () => {
      this.entries.delete(entry);
    };
  }
  *[Symbol.iterator](): IterableIterator<V> {
    for (const { value } of this.entries) yield value;
  }
}
