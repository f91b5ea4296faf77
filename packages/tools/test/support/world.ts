import { after, before } from "node:test";
import type { Plugin } from "@gantry/kernel";
import * as fsSandbox from "@gantry/sandbox/plugins/fs-sandbox";
import * as subprocessSandbox from "@gantry/sandbox/plugins/subprocess-sandbox";
import type { World } from "@gantry/sandbox/seams";
import { type Bench, useBench } from "@gantry/sandbox/testing";
import { fsObservationPolicy, toolBash, toolFs, toolFsSearch, toolTimeoutPolicy } from "../../src/index.ts";
import { type TestAgent, testAgent } from "./agent.ts";
import { call, textOf } from "./calls.ts";
import { openRoot, type TestRoot } from "./root.ts";

export { skip } from "@gantry/sandbox/testing";

export type ToolBench = {
  root: TestRoot;
  world: World;
  agent: TestAgent;
  bench: Bench;
  /** The text of one call by the bench's agent, or by another. */
  text(name: string, args: object, agent?: TestAgent): Promise<string>;
  /** What a line of bash printed, around the tools. */
  shell(command: string): Promise<string>;
};

/** One world and one root with the file, search and shell tools, for a whole test file. */
export function useTools(options: { without?: string; configs?: Record<string, object> } = {}): ToolBench {
  const tools = {} as ToolBench;
  tools.bench = useBench();
  before(async () => {
    tools.root = await openRoot();
    tools.world = await tools.bench.open();
    tools.agent = testAgent({ world: tools.world });
    const plugins: [Plugin & { name: string }, object?][] = [
      [fsSandbox],
      [subprocessSandbox],
      [fsObservationPolicy],
      [toolTimeoutPolicy],
      [toolFs],
      [toolBash],
      [toolFsSearch, { sampleOverCapGlobResults: true }],
    ];
    for (const [plugin, config] of plugins) {
      if (plugin.name !== options.without) await tools.root.mount(plugin, { ...config, ...options.configs?.[plugin.name] });
    }
  });
  after(() => tools.root.close());
  tools.text = async (name, args, agent) => textOf(await call(tools.root.ctx, name, args, { agent: agent ?? tools.agent }));
  tools.shell = async (command) => {
    const end = await tools.world.proc.run({ argv: ["bash", "-c", command], timeoutMs: 60_000, capture: { maxBytes: 1_000_000 } });
    if (end.exitCode !== 0) throw new Error(`${command}: ${end.stderr.text}`);
    return end.stdout.text;
  };
  return tools;
}
