import type { Context } from "./context.ts";
import { type RawContext, raw, rootKey } from "./raw.ts";
import type { RootState } from "./root-state.ts";
import { scopeChainOf } from "./scope-links.ts";

/** The root that minted each scope key. */
const homes = new WeakMap<object, RootState>();

export function rememberHome(key: object, minter: RawContext): void {
  homes.set(key, minter[rootKey]);
}

/** Whether a key, or one above it, was minted in another root than that of `ctx`; a key that nobody minted is at home everywhere. */
export function isForeignScope(ctx: Context, key: object): boolean {
  const home = raw(ctx)[rootKey];
  return scopeChainOf(key).some((at) => (homes.get(at) ?? home) !== home);
}
