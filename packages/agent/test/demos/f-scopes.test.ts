import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { OrgId } from "@gantry/contracts";
import { contextOrder, sectionOrder } from "@gantry/tools";
import type { Agent } from "../../src/loop/agent.ts";
import { openOrg, plainPreset, shellPreset } from "./support/org.ts";
import { startStory } from "./support/story.ts";
import { callTool, plainTool, toolNames } from "./support/world.ts";

test("(f) agents of one root see their own tools, prompts and events; a preset's services are the preset's", async (t) => {
  const story = startStory("f");
  const words = { orgId: randomUUID() as OrgId, persona: "You write code with {{model}}.", tools: ["read", "bash", "fetch"] };
  const { root, ctx, agent } = await openOrg(words);
  t.after(() => root.close());
  const show = async (name: string, scope: Agent) => {
    const { system, contexts } = await ctx.systemPrompt.assemble({ scope });
    story.line(name, `sees ${toolNames(ctx, scope).join(", ")}`);
    story.line("", `reads "${system.split("\n\n")[1]}"`);
    const names = contexts.map((context) => context.name);
    story.line("", `is told ${names.join(", ") || "nothing more"}`);
  };

  story.chapter("1. three agents of one preset, one of them a child with limits, one with a tool of its own");
  const [parent, child, other] = [await agent("parent", plainPreset), await agent("child", plainPreset), await agent("other", plainPreset)];
  const layersBefore = [layerCount(ctx.tools), layerCount(ctx.systemPrompt)];
  const { systemPrompt, tools } = child.ctx;
  const persona = { name: "deployment:persona-prefix", order: sectionOrder.personaPrefix };
  systemPrompt.section({ ...persona, text: "You review and change nothing." });
  systemPrompt.context({ name: "subagent:delegation", order: contextOrder.subagentDelegation, text: "You work for parent." });
  tools.restrict({ deny: ["bash"] });
  other.ctx.tools.register(plainTool("read", "read of its own"));
  const heard: string[] = [];
  other.ctx.on("tools/result", ({ name, sessionId }) => {
    heard.push(`${sessionId}: ${name}`);
    story.line("listener", `other hears ${name} of ${sessionId}`);
  });
  await show("parent", parent);
  await show("child", child);
  await show("other", other);

  story.chapter("2. each calls read; the child tries bash");
  for (const one of [parent, child, other]) story.line(one.sessionId, await callTool(ctx, "read", one));
  story.line("child", await callTool(ctx, "bash", child));
  assert.deepEqual(heard, ["other: read"]);

  story.chapter("3. a limit for everybody at once");
  assert.throws(
    () => ctx.tools.restrict({ deny: ["bash"] }),
    (error: Error) => {
      story.line("restrict", error.message);
      return error.message.includes("scoped context");
    },
  );

  story.chapter("4. child and other end; under the child's key there is nothing but the org's again");
  await root.disposeAgent(child);
  await root.disposeAgent(other);
  assert.deepEqual([layerCount(ctx.tools), layerCount(ctx.systemPrompt)], layersBefore);
  story.line("child's key", `sees ${toolNames(ctx, child).join(", ")}`);
  story.line("layers", "as many as before");

  story.chapter("5. two presets, each with a shell of its own");
  const workshop = shellPreset("workshop", { kind: "container", tool: "saw" });
  const parlour = shellPreset("parlour", { kind: "notebook" });
  const [ann, ben, cleo] = await Promise.all([agent("ann", workshop), agent("ben", workshop), agent("cleo", parlour)]);
  for (const one of [ann, ben, cleo]) {
    story.line(one.sessionId, `sees ${toolNames(ctx, one).join(", ")}; its shell is a ${root.serviceFor(one, "shell")?.kind}`);
  }
  assert.equal(root.serviceFor(ann, "shell"), root.serviceFor(ben, "shell"));
  story.line("root", `has ${ctx.get("shell") ? "a" : "no"} shell`);
  for (const { slug, users } of root.generations()) story.line(slug, `one generation, used by ${users}`);

  story.chapter("6. a shell outside a realm, and two in one");
  for (const preset of [
    shellPreset("careless", { kind: "loose", tool: "spill", isolated: false }),
    shellPreset("crowded", { kind: "double", tool: "twin", count: 2 }),
  ]) {
    await assert.rejects(agent(`of ${preset.slug}`, preset), (error: Error) => {
      story.line(preset.slug, error.message);
      return "code" in error && error.code === "PRESET_BROKEN";
    });
  }
  assert.equal(ctx.get("shell"), undefined);
  story.end();
});

/** Layers are no part of a registry's face; that none is left behind shows only here. */
const layerCount = (registry: object) => (registry as { layers: { size: number } }).layers.size;
