import type { Context, Disposer } from "./context.ts";
import type { AnonymousEntries, EntryTable, NamedEntries, Remove } from "./entries.ts";
import { scopeOf } from "./scope.ts";
import { scopeChainOf, scopeMoves } from "./scope-links.ts";

/** The tables of one layer, by name. */
export type Layer = Readonly<Record<string, EntryTable>>;

export interface ScopedLayersOptions<L> {
  /** Makes the empty tables of a new layer. */
  create: (key: object | undefined) => L;
  /** Told after each visible change; throwing takes the registration back (C-10). */
  changed?: (key: object | undefined) => void;
}

/** A registry in layers: one global, one per scope key that holds a registration. Reads create nothing (C-9). */
export class ScopedLayers<L extends Layer> {
  private readonly layers = new Map<object | undefined, L>();
  private readonly options: ScopedLayersOptions<L>;
  private changes = 0;

  constructor(options: ScopedLayersOptions<L>) {
    this.options = options;
  }

  /** Layers that exist, the global one included. */
  get size(): number {
    return this.layers.size;
  }

  /** Files an entry in the layer of `ctx`'s scope; it is undone with the plugin behind `ctx`. @throws what `insert` or `changed` throws, leaving no trace */
  register(ctx: Context, label: string, insert: (layer: L) => Remove): Disposer {
    const key = scopeOf(ctx);
    return ctx.effect(() => {
      const remove = this.insert(key, insert);
      try {
        this.options.changed?.(key);
      } catch (error) {
        remove();
        throw error;
      }
      return () => {
        remove();
        this.options.changed?.(key);
      };
    }, label);
  }

  /** The layer of exactly this key, if it exists; without a key the global one. */
  peek(key?: object): L | undefined {
    return this.layers.get(key);
  }

  /** The layers that a view for `key` merges, farthest first: global, ancestors, the key's own (C-5). */
  chain(key?: object): L[] {
    const keys = [undefined, ...(key ? scopeChainOf(key).reverse() : [])];
    return keys.map((at) => this.layers.get(at)).filter((layer) => layer !== undefined);
  }

  /** Named entries as `key` sees them: the nearest of a name wins. */
  named<V>(key: object | undefined, table: (layer: L) => NamedEntries<V>): Map<string, V> {
    return new Map(this.chain(key).flatMap((layer) => [...table(layer)]));
  }

  /** Anonymous entries as `key` sees them, farthest layer first. */
  anonymous<V>(key: object | undefined, table: (layer: L) => AnonymousEntries<V>): V[] {
    return this.chain(key).flatMap((layer) => [...table(layer)]);
  }

  /**
   * A reading that is made of these layers and nothing else, kept for each key until an entry comes or goes or a scope moves. Whoever gets it must not
   * change it.
   */
  cached<T>(read: (key: object | undefined) => T): (key?: object) => T {
    const global = {};
    let kept = new WeakMap<object, { readonly value: T }>();
    let at = { changes: -1, moves: -1 };
    return (key) => {
      const now = { changes: this.changes, moves: scopeMoves() };
      if (now.changes !== at.changes || now.moves !== at.moves) kept = new WeakMap();
      at = now;
      const found = kept.get(key ?? global) ?? { value: read(key) };
      kept.set(key ?? global, found);
      return found.value;
    };
  }

  private insert(key: object | undefined, insert: (layer: L) => Remove): Remove {
    const layer = this.layers.get(key) ?? this.options.create(key);
    const remove = insert(layer);
    // Kept only now: a failed creation or insertion leaves no layer behind.
    this.layers.set(key, layer);
    this.changes += 1;
    return () => {
      this.changes += 1;
      remove();
      if (Object.values(layer).every((table) => table.size === 0)) this.layers.delete(key);
    };
  }
}
