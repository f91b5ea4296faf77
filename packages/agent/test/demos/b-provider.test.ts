import assert from "node:assert/strict";
import { test } from "node:test";
import { audit, type Context, describeAudit, Service } from "@gantry/kernel";
import { type SandboxProc, SubprocessSeam, type World, type WorldOwner } from "@gantry/sandbox/seams";
import { catalog } from "../../src/catalog.ts";
import { startStory } from "./support/story.ts";
import { openWorld } from "./support/world.ts";

declare module "@gantry/kernel" {
  interface Context {
    engine: Engine;
  }
  interface Events {
    /** Runs a command for whoever answers first. @mode serial */
    "demo/run"(argv: readonly string[]): Promise<string>;
  }
}

class Engine extends Service {
  constructor(ctx: Context) {
    super(ctx, "engine");
  }
}

/** A provider with a need of its own. */
class EngineSubprocess extends SubprocessSeam {
  for(): SandboxProc {
    return procSaying((argv) => `engine ran ${argv.join(" ")}`);
  }
}

const engine = { name: "engine", apply: (ctx: Context) => void new Engine(ctx) };
const onEngine = { name: "subprocess-engine", inject: ["engine"], apply: (ctx: Context) => void new EngineSubprocess(ctx) };

test("(b) a consumer starts and stops with whoever provides what it needs, and its code never changes", async (t) => {
  const story = startStory("b");
  const { ctx, mount, close } = await openWorld([], []);
  t.after(close);
  let active = 0;
  let activations = 0;
  const consumer = {
    name: "consumer",
    inject: ["subprocess"],
    apply(own: Context) {
      const { subprocess } = own;
      activations++;
      own.effect(() => {
        assert.equal(++active, 1, "never two activations at once");
        story.line("consumer", "starts");
        return () => {
          active--;
          story.line("consumer", "stops");
        };
      }, "activation");
      own.on("demo/run", async (argv) => {
        const { exitCode, stdout } = await subprocess.for(owner).run({ argv, capture: { maxBytes: 1_000 } });
        return `exit ${exitCode}, ${stdout.text.trim()}`;
      });
    },
  };
  const run = async () => story.line("run", (await ctx.serial("demo/run", ["echo", "hello"])) ?? "nobody listens");
  const waits = async () => story.line("audit", describeAudit(await audit([handle])));

  story.chapter("1. the consumer is mounted; nobody provides subprocess");
  const handle = await mount(consumer);
  assert.equal(handle.state, "pending");
  await waits();
  await run();

  story.chapter("2. subprocess-sandbox is mounted");
  const sandboxed = await mount(named("subprocess-sandbox"));
  await run();

  story.chapter("3. it is unmounted");
  await sandboxed.dispose();
  assert.equal(handle.state, "pending");
  await run();

  story.chapter("4. subprocess-dry-run takes its place");
  const dry = await mount(named("subprocess-dry-run"));
  await run();
  await dry.dispose();

  story.chapter("5. then subprocess-engine, which needs an engine itself");
  const provider = await mount(onEngine);
  assert.deepEqual([provider.state, handle.state], ["pending", "pending"]);
  await run();

  story.chapter("6. an engine comes");
  const motor = await mount(engine);
  await run();

  story.chapter("7. and goes: provider and consumer go with it");
  await motor.dispose();
  assert.deepEqual([provider.state, handle.state], ["pending", "pending"]);
  await run();
  assert.deepEqual([activations, active], [3, 0]);
  story.end();
});

const owner: WorldOwner = {
  orgId: "org",
  sessionId: "session",
  sandboxMode: () => "workspace-write",
  world: async () => ({ proc: procSaying((argv) => `sandbox ran ${argv.join(" ")}`) }) as Partial<World> as World,
};

function procSaying(say: (argv: readonly string[]) => string): SandboxProc {
  const none = { text: "", truncated: false };
  const end = { exitCode: 0, signal: null, timedOut: false, aborted: false, outOfMemory: false, stderr: none };
  return { run: async ({ argv }) => ({ ...end, stdout: { text: say(argv), truncated: false } }) };
}

function named(name: string) {
  const plugin = catalog[name];
  assert.ok(plugin);
  return plugin;
}
