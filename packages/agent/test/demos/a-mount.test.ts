import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, inspectRoot } from "@gantry/kernel";
import { startStory } from "./support/story.ts";
import { callTool, openWorld, plainTool, sectionNames, toolNames } from "./support/world.ts";

declare module "@gantry/kernel" {
  interface Events {
    /** @mode emit */
    "demo/ping"(): void;
  }
}

test("(a) what a plugin registers appears with it and is gone after it, without a line of unregister code", async (t) => {
  const story = startStory("a");
  const { root, ctx, mount, close } = await openWorld(["system-prompt", "tools"], ["tools", "systemPrompt"]);
  t.after(close);
  let pings = 0;
  const weather = {
    name: "weather",
    inject: ["tools", "systemPrompt"],
    apply(own: Context) {
      own.tools.register(plainTool("weather", "Bergen: rain"));
      own.systemPrompt.section({ name: "weather:guidance", order: 120, text: "Ask weather before you plan a delivery." });
      own.on("demo/ping", () => {
        pings++;
        story.line("ping", "weather heard it");
      });
      own.effect(() => {
        story.line("effect", "opens its cache");
        return () => story.line("effect", "closes its cache");
      }, "forecast cache");
    },
  };
  const look = async () => {
    story.line("tools", toolNames(ctx));
    story.line("sections", await sectionNames(ctx));
    story.line("call", await callTool(ctx, "weather"));
    ctx.emit("demo/ping");
  };

  story.chapter("1. before");
  await look();
  const before = inspectRoot(root);
  story.chapter("2. weather is mounted");
  const handle = await mount(weather);
  await look();
  assert.equal(pings, 1);
  assert.notDeepEqual(inspectRoot(root), before);
  story.chapter("3. weather is unmounted");
  await handle.dispose();
  await look();
  assert.deepEqual([handle.state, pings], ["disposed", 1]);
  assert.deepEqual(inspectRoot(root), before, "plugins, services, listeners and effects are what they were");
  story.line("root", "holds what it held before, nothing more");
  story.end();
});
