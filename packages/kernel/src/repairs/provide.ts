import { Context as CordisContext, symbols } from "@deepseek-ai/cordis";
import { KernelError } from "../errors.ts";
import { fiberState, type RawContext, type RawFiber, type RawImpl, rootKey } from "../raw.ts";

interface RawReflect {
  readonly ctx: RawContext;
  readonly store: Record<symbol, RawImpl>;
  readonly props: Record<string, { readonly type: "service" | "accessor" }>;
  /** Lets every plugin that injects one of the names look again. */
  notify(names: string[]): unknown;
}

/**
 * Replaces how a service is provided. A second provider is refused by code and name (K-19). A withdrawn service waits for those who
 * use it, and for nobody else (D6, K-17): cordis forgets users that are being disposed, so a resource closed under a consumer that
 * still flushed; and it waits for everyone who injects the name, an ancestor of the provider included, which never ends.
 */
export function repairProvide(): void {
  // Cordis does not export the class of its service store.
  const proto = Object.getPrototypeOf(new CordisContext().reflect) as { provide: unknown };
  proto.provide = function (this: RawReflect, name: string, value: unknown, check?: () => boolean) {
    const { ctx, props, store } = this;
    const { fiber } = ctx;
    return fiber.effect(
      () => {
        const realm = realmOf(this, name);
        const root = ctx[rootKey];
        root.servicesProvided += 1;
        const impl: RawImpl = { name, value, fiber, check, realm, serial: root.servicesProvided };
        props[name] = { type: "service" };
        store[realm] = impl;
        // What the plugin itself injects stays what it has, and its provider goes on waiting for it (K-3, K-17).
        if (!(name in fiber.inject)) ownServices(fiber)[name] = impl;
        const tell = () => this.notify([name]);
        if (fiber.state === fiberState.active) tell();
        else if (fiber.ctx[symbols.isolate][name] !== realm) whenActive(fiber, tell);
        for (const watch of root.serviceWatchers) watch(impl, realm);
        return async () => {
          delete store[realm];
          tell();
          await usersGone(ctx, impl);
          // Last, so that the provider itself can still use its service while others finish.
          if (ownServices(fiber)[name] === impl) delete ownServices(fiber)[name];
        };
      },
      `ctx.provide(${JSON.stringify(name)})`,
    );
  };
}

/** On activation cordis tells only those who look where the provider itself looks, not those in a realm that it made for others (K-22). */
function whenActive(fiber: RawFiber, act: () => void): void {
  const due = fiber.ctx[rootKey].whenActive;
  due.set(fiber, (due.get(fiber) ?? new Set()).add(act));
}

/** The realm in which the context resolves the name, free to be taken. @throws SERVICE_TAKEN */
function realmOf({ ctx, store, props }: RawReflect, name: string): symbol {
  const isKernelName = props[name] === undefined ? name in ctx : props[name].type !== "service";
  if (isKernelName) throw new KernelError("SERVICE_TAKEN", `"${name}" is a name of the kernel. Choose another.`);
  const rootRealms = ctx[rootKey].ctx[symbols.isolate] as Record<string, symbol>;
  rootRealms[name] ??= Symbol(name);
  const realm = ctx[symbols.isolate][name] as symbol;
  const holder = store[realm]?.fiber;
  if (holder) {
    throw new KernelError("SERVICE_TAKEN", `Service "${name}" is already provided here by <${holder.name}>. One realm has one provider.`);
  }
  return realm;
}

/** A user started after the service was there, so waits of this kind never form a circle. */
async function usersGone(ctx: RawContext, impl: RawImpl): Promise<void> {
  const isLeaving = (fiber: RawFiber) => fiber !== impl.fiber && fiber.store?.[impl.name] === impl && fiber.inertia !== undefined;
  for (;;) {
    const users = [...ctx[rootKey].fibers].filter(isLeaving);
    if (users.length === 0) return;
    await Promise.all(users.map((fiber) => fiber.inertia));
  }
}

const ownServices = (fiber: RawFiber): Record<string, RawImpl> => (fiber.store ?? {}) as Record<string, RawImpl>;
