import { KernelError } from "./errors.ts";

/** Parents by scope key. Keys are compared by identity and never leave the process (C-1). */
const parents = new WeakMap<object, object>();
let moves = 0;

/** Grows whenever some scope gets a parent or another one: a chain that was read at one count is the same while that count holds. */
export const scopeMoves = (): number => moves;

/** The right to move a scope, held by whoever bound it (C-4). */
export interface ScopeLink {
  /** @throws SCOPE_CYCLE */
  relink(parent: object): void;
}

/** Puts a scope under a parent, once. @throws SCOPE_BOUND, SCOPE_CYCLE */
export function bindScopeParent(key: object, parent: object): ScopeLink {
  if (parents.has(key)) throw new KernelError("SCOPE_BOUND", "This scope already has a parent; only the holder of its link can move it.");
  setParent(key, parent);
  return { relink: (next) => setParent(key, next) };
}

/** The key and its ancestors, nearest first. */
export function scopeChainOf(key: object): object[] {
  const chain: object[] = [];
  for (let at: object | undefined = key; at; at = parents.get(at)) chain.push(at);
  return chain;
}

/** Whether `ancestor` is the key itself or stands above it. */
export function isInScope(key: object, ancestor: object): boolean {
  for (let at: object | undefined = key; at; at = parents.get(at)) if (at === ancestor) return true;
  return false;
}

function setParent(key: object, parent: object): void {
  if (isInScope(parent, key)) throw new KernelError("SCOPE_CYCLE", "The new parent is the scope itself or stands below it.");
  parents.set(key, parent);
  moves += 1;
}
