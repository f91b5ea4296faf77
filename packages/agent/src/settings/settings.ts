import { AppError, type JsonObject } from "@gantry/contracts";
import { type Context, callerOf, type Disposer, KernelError, Service } from "@gantry/kernel";
import { readerOf } from "./reader.ts";
import { Section, type Watcher } from "./section.ts";
import type { SettingsStore } from "./store.ts";

export type RegisterOptions<T> = {
  /** what the row's config says; the org's section goes over it */
  readonly base?: JsonObject;
  /** why the value as a whole is refused, or null (N-1) */
  readonly validate?: (value: T) => string | null;
};
export type Setting<T> = {
  /** the value in force, frozen; read it at each use */
  get(): T;
  /** Calls back for each later change, one at a time, in order, until the answer is called or the plugin unloads (N-5). */
  watch(call: Watcher<T>): Disposer;
};

/**
 * Kernel service `settings`: what an org has set for its plugins, over what their rows say (§12.1). It holds the org's level: what a person or a
 * project sets differs by agent, while a plugin is shared by all of them (E-7). Settings tune a plugin; they mount nothing (N-8).
 */
export class Settings extends Service {
  private readonly own: Context;
  private readonly store: SettingsStore;
  private readonly sections = new Map<string, { refresh(): void }>();

  constructor(ctx: Context, store: SettingsStore) {
    super(ctx, "settings");
    this.own = ctx;
    this.store = store;
    ctx.effect(() => store.watch(() => this.refresh()), "settings.store");
  }

  /**
   * Takes the namespace until the calling plugin unloads; its schema is the catalogue's (N-1). A stored section that the schema or `validate`
   * refuses is left out with a warning, so that bad data of an org cannot stop its root.
   * @throws KernelError NAME_TAKEN; AppError INPUT_REFUSED for a `base` that is refused (N-4), NOT_FOUND for an unknown namespace
   */
  register<T extends object>(namespace: string, { base = {}, validate }: RegisterOptions<T> = {}): Setting<T> {
    const caller = callerOf(this.ctx);
    const read = readerOf<T>(namespace, base, validate ?? (() => null));
    const first = read({});
    if (first.value === null) {
      throw new AppError("INPUT_REFUSED", `The row's config is no value of the settings namespace "${namespace}". ${first.refused}`);
    }
    const section = new Section<T>(namespace, first.value, () => read(this.store.section(namespace) ?? {}), this.own.logger);
    section.refresh();
    caller.effect(() => {
      if (this.sections.has(namespace)) {
        throw new KernelError("NAME_TAKEN", `The settings namespace "${namespace}" is registered already. Disable one of the two rows.`);
      }
      this.sections.set(namespace, section);
      return () => this.sections.delete(namespace);
    }, `settings.register(${namespace})`);
    return {
      get: () => section.get(),
      watch: (call) => caller.effect(() => section.watch(call), `settings.watch(${namespace})`),
    };
  }

  private refresh(): void {
    for (const section of this.sections.values()) section.refresh();
  }
}
