import assert from "node:assert/strict";
import { test } from "node:test";
import type { Context } from "@gantry/kernel";
import { startStory } from "./support/story.ts";
import { callTool, openWorld, plainTool } from "./support/world.ts";

const reason = "nobody removes caches here";
const removed = "the cache is removed";

test("(c) a listener can be overruled from outside, a guard by nobody", async (t) => {
  const story = startStory("c");
  const { ctx, mount, close } = await openWorld(["system-prompt", "tools"], ["tools", "systemPrompt"]);
  t.after(close);
  ctx.tools.register(plainTool("rm_cache", removed));
  const plugin = (name: string, apply: (own: Context) => void) => ({ name, inject: ["tools"], apply });
  const audit = plugin("audit", (own) => {
    own.on("tools/pre-execute", async (execution, next) => {
      story.line("audit", `asks about ${execution.name}`);
      const decision = await next();
      story.line("audit", `hears ${decision.kind}`);
      return decision;
    });
  });
  const listening = plugin("ban-as-listener", (own) => {
    own.on("tools/pre-execute", async () => ({ kind: "deny", reason }));
  });
  const guarding = plugin("ban-as-guard", (own) => {
    own.tools.guard(({ name }) => (name === "rm_cache" ? reason : undefined));
  });
  const allowing = plugin("allow-all", (own) => {
    own.on("tools/pre-execute", async () => ({ kind: "allow" }), { prepend: true });
  });
  const call = async (expected: string) => {
    const answer = await callTool(ctx, "rm_cache");
    story.line("rm_cache", answer);
    assert.equal(answer, expected);
  };

  story.chapter("1. no policy");
  await call(removed);
  story.chapter("2. audit wraps every decision");
  await mount(audit);
  await call(removed);
  story.chapter("3. the ban as a listener, further in");
  const ban = await mount(listening);
  await call(`Error: ${reason}`);
  story.chapter("4. allow-all outermost: it asks no further, so neither audit nor the ban runs");
  const allow = await mount(allowing);
  await call(removed);
  story.chapter("5. the same ban as a guard instead, allow-all still mounted");
  await ban.dispose();
  const guard = await mount(guarding);
  await call(`Error: ${reason}`);
  story.chapter("6. guard and allow-all are unmounted: audit is asked again, and nothing forbids the call");
  await guard.dispose();
  await allow.dispose();
  await call(removed);
  story.end();
});
