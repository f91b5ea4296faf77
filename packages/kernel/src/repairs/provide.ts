import { Context as CordisContext, symbols } from "@deepseek-ai/cordis";
import { KernelError } from "../errors.ts";
import { fiberState, type RawContext, type RawFiber, rootKey } from "../raw.ts";

type Provide = (this: { ctx: RawContext }, name: string, value: unknown, check?: () => boolean) => () => unknown;

/** A second provider is refused by code and name (K-19); a withdrawn service waits for dependents that others are already disposing (D6). */
export function repairProvide(): void {
  // Cordis does not export the class of its service store.
  const proto = Object.getPrototypeOf(new CordisContext().reflect) as { provide: Provide };
  const provide = proto.provide;
  proto.provide = function (name, value, check) {
    const { ctx } = this;
    assertFree(ctx, name);
    const provideHere = () => provide.call(this, name, value, check);
    return ctx.fiber.effect(
      function* () {
        yield () => disposedDependents(ctx, name);
        yield provideHere();
      },
      `ctx.provide(${JSON.stringify(name)})`,
    );
  };
}

function assertFree(ctx: RawContext, name: string): void {
  const realm = ctx[symbols.isolate][name];
  const holder = realm && ctx.reflect.store[realm];
  if (holder) {
    throw new KernelError(
      "SERVICE_TAKEN",
      `Service "${name}" is already provided here by <${holder.fiber.name}>. One realm has one provider.`,
    );
  }
  if (!realm && name in ctx) throw new KernelError("SERVICE_TAKEN", `"${name}" is a name of the kernel. Choose another.`);
}

/**
 * Cordis forgets a fiber as soon as its disposal begins, so a provider that goes at the same time would close its resource
 * under a consumer that still flushes.
 */
async function disposedDependents(ctx: RawContext, name: string): Promise<void> {
  for (;;) {
    const busy = [...ctx[rootKey].fibers].filter((fiber) => isLeaving(fiber) && uses(fiber, name, ctx.fiber));
    if (busy.length === 0) return;
    await Promise.all(busy.map((fiber) => fiber.inertia));
  }
}

const isLeaving = (fiber: RawFiber): boolean => fiber.inertia !== undefined && (fiber.uid === null || fiber.state === fiberState.unloading);

/** It started with this very provider's service. Waiting for others would be a deadlock: an ancestor of the provider may once have used another one. */
const uses = (fiber: RawFiber, name: string, provider: RawFiber): boolean => fiber !== provider && fiber.store?.[name]?.fiber === provider;
