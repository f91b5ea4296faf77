import { Context as CordisContext } from "@deepseek-ai/cordis";
import type { Context } from "./context.ts";
import type { Events, Scoped, ScopedEvent } from "./events.ts";
import { FiberHandle, type Handle, startFiber } from "./mount.ts";
import { allowAdoption, carrier, facade, type RawContext, raw, rootKey, scopeTag, untraced } from "./raw.ts";
import { assertAccepting } from "./repairs/fiber.ts";
import { rememberHome } from "./scope-home.ts";
import { bindScopeParent, type ScopeLink, scopeChainOf } from "./scope-links.ts";

/** A visibility and a lifetime that cannot disagree (C-2). It decides what is seen, never what is allowed (C-8). */
export interface Scope<T extends object = object> {
  readonly key: T;
  /** What is registered through it is visible under the key only, and undone with the scope. Usable at once. */
  readonly ctx: Context;
  readonly handle: Handle;
  /** Present when the scope was created with a parent. */
  readonly link: ScopeLink | undefined;
  /**
   * Waits until every registration made through the scope is undone; callers share one end (C-12).
   * Yielded as it is by an effect of the minting plugin, the scope goes in that effect's order.
   */
  dispose(): Promise<void>;
}

const emptyPlugin = { name: "scope", apply: () => {} };

/**
 * Mints a scope that lives at most as long as the plugin behind `ctx` and inherits what that plugin injects; so mint it from a plugin
 * that injects what scoped registrations need, never from the root (K-25).
 * @throws INACTIVE_EFFECT, ROOT_SEALED, and with `parent` SCOPE_BOUND, SCOPE_CYCLE
 */
export function createScope<T extends object>(ctx: Context, key: T, options: { parent?: object } = {}): Scope<T> {
  const owner = untraced(raw(ctx));
  assertAccepting(owner.fiber);
  const link = options.parent ? bindScopeParent(key, options.parent) : undefined;
  rememberHome(key, owner);
  const fiber = startFiber(owner.extend({ [scopeTag]: key }), emptyPlugin);
  const handle = new FiberHandle(fiber);
  const dispose = () => handle.dispose();
  allowAdoption(dispose, fiber);
  return { key, ctx: facade(fiber.ctx), handle, link, dispose };
}

/** The caller's own context, for a service method that hands it on or builds on it: `this.ctx` is a view of it (K-23). */
export function callerOf(ctx: Context): Context {
  return facade(untraced(raw(ctx)));
}

/** The key of the innermost scope that the context belongs to (C-3). */
export function scopeOf(ctx: Context): object | undefined {
  return raw(ctx)[scopeTag];
}

/**
 * The carrier of a scope-filtered dispatch: it reaches listeners without a scope and those tagged with the key or an ancestor of it;
 * without a key, only the former (C-6, C-7).
 */
export function scopeTarget<T extends object>(key: T | undefined): Scoped<T> {
  return Object.freeze({
    [carrier]: true as const,
    key,
    // Read once a dispatch: the ancestors are looked up then, not for each of thousands of listeners.
    get [CordisContext.filter]() {
      const chain = key === undefined ? [] : scopeChainOf(key);
      return (listener: RawContext) => {
        const tag = listener[scopeTag];
        return tag === undefined || chain.includes(tag);
      };
    },
  });
}

type SubjectOf<K extends ScopedEvent> = Events[K] extends (...args: infer A) => unknown ? (...args: A) => object | undefined : never;

/**
 * Declares that an event is scope-filtered, so that dispatching it without a carrier, or for another scope than the one its arguments
 * are about, is an error in checked roots (C-11, K-34). Undone with the plugin that declares it.
 */
export function declareScopedEvent<K extends ScopedEvent>(ctx: Context, name: K, subjectOf?: SubjectOf<K>): void {
  const { scopedEvents } = raw(ctx)[rootKey].bus;
  ctx.effect(
    () => {
      scopedEvents.set(name, subjectOf ?? null);
      return () => scopedEvents.delete(name);
    },
    `declareScopedEvent(${JSON.stringify(name)})`,
  );
}
