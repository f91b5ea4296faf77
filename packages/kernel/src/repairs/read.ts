import { Context as CordisContext, getTraceable, symbols } from "@deepseek-ai/cordis";
import { type RawContext, type RawFiber, type RawImpl, shadowKey } from "../raw.ts";

type Props = Readonly<Record<string, { readonly type: string } | undefined>>;
/** While cordis makes a root, what reads services is not there yet. */
type Target = RawContext & { readonly reflect: { readonly props: Props } | undefined };
type Fiber = RawFiber & { readonly runtime: unknown };
type Handler = { get(target: Target, prop: string | symbol, ctx: RawContext): unknown };

/** Reading a service that is there makes no Error; cordis makes one at each reading, for the case that it is not. */
export function repairReads(): void {
  // Cordis does not export the class that has the traps of its contexts.
  const { handler } = Object.getPrototypeOf(new CordisContext().reflect).constructor as { handler: Handler };
  const { get } = handler;
  handler.get = (target, prop, ctx) => {
    const found = typeof prop === "string" ? serviceOf(target, prop, ctx) : undefined;
    return found ? getTraceable(ctx as never, found.value) : get(target, prop, ctx);
  };
}

/** Undefined where cordis has another answer, or an error. */
function serviceOf(target: Target, name: string, ctx: RawContext): RawImpl | undefined {
  if (target.reflect?.props[name]?.type !== "service" || name in target || !(ctx.fiber as Fiber).runtime) return undefined;
  return heldService(ctx, name);
}

/**
 * The service that the plugin behind the context, or one above it, holds in the realm where the context looks (K-21, K-22). Cordis compares with the root's
 * realm instead: a child could not read what its parent holds in a realm, and an isolated context read what its plugin injects from outside.
 */
function heldService(ctx: RawContext, name: string): RawImpl | undefined {
  const at = ctx[shadowKey] ?? ctx;
  const realm = at[symbols.isolate][name];
  if (realm === undefined) return undefined;
  for (let fiber = at.fiber as Fiber; ; fiber = fiber.parent.fiber as Fiber) {
    const held = fiber.store?.[name];
    if (held?.realm === realm) return held;
    const provided: RawImpl | undefined = at.reflect.store[realm];
    if (provided?.fiber === fiber) return provided;
    if (name in fiber.inject || !fiber.runtime || fiber.parent[symbols.isolate][name] !== realm) return undefined;
  }
}
