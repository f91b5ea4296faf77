import { Context as CordisContext, getTraceable, symbols } from "@deepseek-ai/cordis";
import { type RawContext, type RawFiber, type RawImpl, shadowKey } from "../raw.ts";

type Props = Readonly<Record<string, { readonly type: string } | undefined>>;
/** While cordis makes a root, what reads services is not there yet. */
type Target = RawContext & { readonly reflect: { readonly props: Props } | undefined };
type Fiber = RawFiber & { readonly runtime: unknown };
type Handler = { get(target: Target, prop: string | symbol, ctx: RawContext): unknown };

/** Reading a service that is there finds it as cordis does, without the Error that cordis makes at each reading for the case that it is not. */
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
  const realm = target[symbols.isolate][name];
  let fiber = (ctx[shadowKey] ?? ctx).fiber as Fiber;
  for (;;) {
    const impl = fiber.store?.[name];
    if (impl) return impl;
    if (name in fiber.inject || !fiber.runtime || fiber.parent[symbols.isolate][name] !== realm) return undefined;
    fiber = fiber.parent.fiber as Fiber;
  }
}
