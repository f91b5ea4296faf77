import {
  audit,
  type Context,
  closeRoot,
  createRoot,
  describeAudit,
  type Handle,
  type KernelLogger,
  mount,
  type Plugin,
} from "@gantry/kernel";
import { systemPromptPlugin, toolsPlugin } from "../../src/index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export type TestRoot = {
  /** Of a plugin that injects `tools` and `systemPrompt`: what it registers is global. */
  ctx: Context;
  mount(plugin: Plugin, config?: unknown): Promise<Handle>;
  close(): Promise<void>;
};

/** A real kernel root with the two registries and nothing else. */
export async function openRoot(options: { prompt?: object; logger?: KernelLogger } = {}): Promise<TestRoot> {
  const root = createRoot({ name: "test", logger: options.logger ?? quiet });
  let ctx: Context | undefined;
  const host = {
    name: "host",
    inject: ["tools", "systemPrompt"],
    apply(own: Context) {
      ctx = own;
    },
  };
  const handles = [mount(root.ctx, systemPromptPlugin, options.prompt ?? {}), mount(root.ctx, toolsPlugin), mount(root.ctx, host)];
  await settle(handles);
  if (ctx === undefined) throw new Error("the host plugin did not start");
  const own = ctx;
  return {
    ctx: own,
    async mount(plugin, config) {
      const handle = mount(root.ctx, plugin, config);
      await settle([handle]);
      return handle;
    },
    close: () => closeRoot(root),
  };
}

async function settle(handles: readonly Handle[]): Promise<void> {
  const report = await audit(handles);
  if (!report.usable) throw new Error(describeAudit(report).join("; "));
}
