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
    const busy = [...ctx[rootKey].fibers].filter((fiber) => isLeaving(fiber) && dependsOn(fiber, ctx, name));
    if (busy.length === 0) return;
    await Promise.all(busy.map((fiber) => fiber.inertia));
  }
}

const isLeaving = (fiber: RawFiber): boolean => fiber.inertia !== undefined && (fiber.uid === null || fiber.state === fiberState.unloading);

const dependsOn = (fiber: RawFiber, ctx: RawContext, name: string): boolean =>
  fiber !== ctx.fiber && name in fiber.inject && fiber.ctx[symbols.isolate][name] === ctx[symbols.isolate][name];
