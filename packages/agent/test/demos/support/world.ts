import { textsOf } from "@gantry/contracts";
import { audit, type Context, closeRoot, createRoot, type Handle, type KernelLogger, mount, type Plugin, type Root } from "@gantry/kernel";
import { defineTool, type ToolAgent, type ToolDefinition } from "@gantry/tools";
import { z } from "zod";
import { catalog } from "../../../src/catalog.ts";

const quiet: KernelLogger = { debug() {}, info() {}, warn() {}, error() {} };

export const persona = "You keep the books of a small bakery.";

export type DemoWorld = {
  root: Root;
  /** Of a plugin that injects the registries: what it registers is everyone's. */
  ctx: Context;
  mount(plugin: Plugin, config?: object): Promise<Handle>;
  close(): Promise<void>;
};

/** A root with plugins of the catalogue, and a host plugin that injects `inject`. */
export async function openWorld(plugins: readonly string[], inject: readonly string[], logger = quiet): Promise<DemoWorld> {
  const root = createRoot({ name: "demo", logger });
  const mounted = (plugin: Plugin, config?: object) => settled(mount(root.ctx, plugin, config));
  const configs: Record<string, object> = { "system-prompt": { personaPrefix: persona, personaSuffix: "Answer in short sentences." } };
  for (const name of plugins) await mounted(catalog[name] as Plugin, configs[name] ?? {});
  const found = Promise.withResolvers<Context>();
  await mounted({ name: "host", inject, apply: (own: Context) => found.resolve(own) });
  return { root, ctx: await found.promise, mount: mounted, close: () => closeRoot(root) };
}

/** Waits until a plugin stands; one that waits for a service counts as standing still, not as broken. */
async function settled(handle: Handle): Promise<Handle> {
  const report = await audit([handle]);
  for (const { error } of report.failed) throw error;
  return handle;
}

export const toolNames = (ctx: Context, scope?: object) => ctx.tools.schemas(scope).map(({ name }) => name);

/** Names of the sections that a scope's prompt is made of, in order. */
export async function sectionNames(ctx: Context, scope?: object): Promise<string[]> {
  let names: string[] = [];
  const undo = ctx.on("system-prompt/assemble", async (_request, next) => {
    const assembly = await next();
    names = assembly.sections.map(({ name }) => name);
    return assembly;
  });
  await ctx.systemPrompt.assemble(scope ? { scope } : {});
  await undo();
  return names;
}

/** What one call comes to, as the model reads it. */
export async function callTool(ctx: Context, name: string, agent?: ToolAgent, args: object = {}): Promise<string> {
  const options = { signal: new AbortController().signal, turn: 1, step: 1, ...(agent ? { agent } : {}) };
  const prepared = await ctx.tools.prepare({ callId: "call-1", name, arguments: JSON.stringify(args) }, options);
  const { content } = await (await prepared.run()).commit();
  return textsOf(content).join("");
}

/** A tool without arguments that always answers the same. */
export function plainTool(name: string, answer: string): ToolDefinition {
  return defineTool({
    name,
    description: answer,
    parameters: z.object({}),
    output: z.string(),
    execute: async () => answer,
    render: (value) => value,
  });
}
