import type { z } from "zod";
import type { Context } from "./context.ts";
import { KernelError } from "./errors.ts";
import { Service } from "./service.ts";
import { asError } from "./thrown.ts";

interface PluginMeta {
  /** Shown in diagnostics and error texts. */
  readonly name?: string;
  /** Services that must be there before the start; losing one unloads the plugin (K-1, K-2). */
  readonly inject?: readonly string[];
  /** Checked at every start, synchronously (K-10). */
  readonly Config?: z.ZodType;
}

// The config of a plugin is known to its Config schema and to its own body; a table of plugins cannot name it.
// biome-ignore lint/suspicious/noExplicitAny: a parameter accepted for every config type
type Erased = any;

export type ObjectPlugin = PluginMeta & { apply(ctx: Context, config: Erased): void | Promise<void> };
export type FunctionPlugin = PluginMeta & ((ctx: Context, config: Erased) => void | Promise<void>);
export type ClassPlugin = PluginMeta & (new (ctx: Context, config: Erased) => object);
/** What can be mounted. A module with `name`, `inject`, `Config` and `apply` is one. */
export type Plugin = ObjectPlugin | FunctionPlugin | ClassPlugin;

/** What a caller writes as config: the input of the schema, else whatever the body takes. */
export type ConfigInput<P extends Plugin> = P extends { readonly Config: z.ZodType<unknown, infer Input> }
  ? Input
  : P extends (ctx: Context, ...rest: infer Rest) => unknown
    ? First<Rest>
    : P extends new (
          ctx: Context,
          ...rest: infer Rest
        ) => object
      ? First<Rest>
      : P extends { apply(ctx: Context, ...rest: infer Rest): unknown }
        ? First<Rest>
        : undefined;
type First<Rest extends unknown[]> = Rest extends [] ? undefined : Rest[0];

export interface MountOptions {
  /** The composition row the plugin is mounted for; named in reports (F-1). */
  row?: string;
  /** Services that this instance waits for besides those the plugin asks for. */
  inject?: readonly string[];
}
/** Config may be left out when an empty one would do. */
export type MountArgs<P extends Plugin> =
  undefined extends ConfigInput<P>
    ? [config?: ConfigInput<P>, options?: MountOptions]
    : // biome-ignore lint/complexity/noBannedTypes: asks whether an empty object is a config
      {} extends ConfigInput<P>
      ? [config?: ConfigInput<P>, options?: MountOptions]
      : [config: ConfigInput<P>, options?: MountOptions];

/** Gives an object plugin its types where it is written: `config` in `apply` is the output of `Config`. */
export function definePlugin<S extends z.ZodType = z.ZodUndefined>(plugin: {
  readonly name: string;
  readonly inject?: readonly string[];
  readonly Config?: S;
  apply(ctx: Context, config: z.output<S>): void | Promise<void>;
}): {
  readonly name: string;
  readonly inject?: readonly string[];
  readonly Config: S;
  apply(ctx: Context, config: z.output<S>): void | Promise<void>;
} {
  return plugin as ReturnType<typeof definePlugin<S>>;
}

/** @throws BAD_PLUGIN for what cannot be mounted, whatever the types said */
export function assertPlugin(plugin: unknown): asserts plugin is Plugin {
  const isObject = typeof plugin === "object" && plugin !== null && "apply" in plugin && typeof plugin.apply === "function";
  if (!isObject && typeof plugin !== "function")
    throw new KernelError("BAD_PLUGIN", "A plugin is a function, a class, or an object with apply(ctx, config).");
  const { inject } = plugin as PluginMeta;
  if (inject !== undefined && inject !== null && !Array.isArray(inject))
    throw new KernelError("BAD_PLUGIN", `<${(plugin as PluginMeta).name}> has an inject that is no list of service names.`);
}

/**
 * Validates the config and runs the plugin's body once.
 * @throws BAD_CONFIG, BAD_PLUGIN, and what the body throws; what is no error, or refuses to be read, as an error that says so
 */
export async function startPlugin(plugin: Plugin, ctx: Context, config: unknown): Promise<void> {
  try {
    await start(plugin, ctx, config);
  } catch (thrown) {
    throw asError(thrown);
  }
}

async function start(plugin: Plugin, ctx: Context, config: unknown): Promise<void> {
  const result: unknown = run(plugin, ctx, parseConfig(plugin, config));
  if (typeof result === "object" && result !== null && "next" in result) {
    throw new KernelError("BAD_PLUGIN", `<${plugin.name}> has a generator as its body. Yield undo steps inside ctx.effect.`);
  }
  await result;
}

function run(plugin: Plugin, ctx: Context, config: unknown): unknown {
  if ("apply" in plugin && typeof plugin !== "function") return plugin.apply(ctx, config);
  if (isClass(plugin)) {
    new plugin(ctx, config);
    return undefined;
  }
  return (plugin as FunctionPlugin)(ctx, config);
}

const isClass = (plugin: Plugin): plugin is ClassPlugin =>
  typeof plugin === "function" && (plugin.prototype instanceof Service || /^class\b/.test(Function.prototype.toString.call(plugin)));

function parseConfig(plugin: Plugin, config: unknown): unknown {
  if (!plugin.Config) return config;
  const parsed = plugin.Config.safeParse(config ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "config"}: ${issue.message}`);
  throw new KernelError("BAD_CONFIG", `The config of <${plugin.name}> is not valid: ${issues.join("; ")}`, { cause: parsed.error });
}
