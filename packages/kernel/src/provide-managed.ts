import type { Context, ServiceName } from "./context.ts";

/**
 * Opens a resource and provides it as a service, in the one order that is safe to undo (K-17): on unload the service is withdrawn,
 * its dependents finish, and only then `close` runs. Await it in the plugin's body.
 * @throws SERVICE_TAKEN (the resource is closed again), INACTIVE_EFFECT, and what `open` throws
 */
export async function provideManaged<K extends ServiceName>(
  ctx: Context,
  name: K,
  open: () => Context[K] | Promise<Context[K]>,
  close: (service: Context[K]) => void | Promise<void>,
): Promise<Context[K]> {
  const opened: Context[K][] = [];
  await ctx.effect(
    async function* () {
      const service = await open();
      opened.push(service);
      yield () => close(service);
      yield ctx.provide(name, service);
    },
    `provideManaged(${JSON.stringify(name)})`,
  );
  return opened[0] as Context[K];
}
