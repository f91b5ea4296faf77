import assert from "node:assert/strict";
import { test } from "node:test";
import { createScope } from "@gantry/kernel";
import { contextOrder, sectionOrder } from "../src/index.ts";
import { interpolate } from "../src/prompt/interpolate.ts";
import { echoTool } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const config = { includeHarnessIdentity: false, personaPrefix: "You write {{model}} code." };

test("KN-057 a scoped persona shadows for that scope only; empty text removes it; unload restores it", async (t) => {
  const root = await openRoot({ prompt: config });
  t.after(() => root.close());
  const { ctx } = root;
  ctx.systemPrompt.variable("model", () => "flash");
  const persona = { name: "deployment:persona-prefix", order: sectionOrder.personaPrefix };
  const reviewer = createScope(ctx, {});
  reviewer.ctx.systemPrompt.section({ ...persona, text: "You review." });
  const silent = createScope(ctx, {});
  silent.ctx.systemPrompt.section({ ...persona, text: "" });
  const system = async (scope?: object) => (await ctx.systemPrompt.assemble(scope ? { scope } : {})).system;
  assert.deepEqual([await system(), await system(reviewer.key), await system(silent.key)], ["You write flash code.", "You review.", ""]);
  await Promise.all([reviewer.dispose(), silent.dispose()]);
  assert.equal(await system(reviewer.key), "You write flash code.");
});

test("SYS-1 P-4 sections are joined in order, ties by name, whatever the order of registration", async (t) => {
  const root = await openRoot({ prompt: { ...config, personaPrefix: "persona", personaSuffix: "suffix" } });
  t.after(() => root.close());
  const { systemPrompt } = root.ctx;
  systemPrompt.section({ name: "b", order: 110, text: async () => "b" });
  systemPrompt.section({ name: "z", order: 100, text: "z" });
  systemPrompt.section({ name: "a", order: 110, text: "a" });
  assert.equal((await systemPrompt.assemble()).system, "persona\n\nz\n\na\n\nb\n\nsuffix");
  assert.throws(() => systemPrompt.section({ name: "n", order: Number.NaN, text: "" }), /finite/);
});

test("KN-059 a complete section stands alone, whatever a listener adds; two complete ones fail", async (t) => {
  const root = await openRoot({ prompt: { includeHarnessIdentity: true } });
  t.after(() => root.close());
  const { ctx } = root;
  ctx.systemPrompt.section({ name: "whole", order: 5, text: "Only this.", complete: true });
  ctx.on("system-prompt/assemble", async (_request, next) => {
    const assembly = await next();
    return { ...assembly, sections: [...assembly.sections, { name: "added", text: "And that." }] };
  });
  assert.equal((await ctx.systemPrompt.assemble()).system, "Only this.");
  ctx.systemPrompt.section({ name: "rival", order: 6, text: "No, this.", complete: true });
  await assert.rejects(ctx.systemPrompt.assemble(), /"whole", "rival"/);
});

test("KN-060 a suppressed context stays empty even if a listener adds one, and its provider is not asked", async (t) => {
  const root = await openRoot({ prompt: config });
  t.after(() => root.close());
  const { ctx } = root;
  ctx.systemPrompt.variable("model", () => "flash");
  let asked = 0;
  ctx.systemPrompt.context({
    name: "sandbox:policy",
    order: contextOrder.sandboxPolicy,
    text: () => {
      asked++;
      return "Writable: the workspace.";
    },
  });
  const scope = createScope(ctx, {});
  scope.ctx.systemPrompt.suppressRuntimeContext();
  scope.ctx.on("system-prompt/assemble", async (_request, next) => ({ ...(await next()), contexts: [{ name: "sneaky", text: "x" }] }));
  assert.deepEqual((await ctx.systemPrompt.assemble({ scope: scope.key })).contexts, []);
  assert.equal(asked, 0);
  assert.deepEqual((await ctx.systemPrompt.assemble()).contexts, [{ name: "sandbox:policy", text: "Writable: the workspace." }]);
  await scope.dispose();
});

test("KN-061 unknown, malformed and valueless references fail with the section's name; values are not read again", async () => {
  const variables = new Map<string, string | undefined>([
    ["model", "{{model}}"],
    ["empty", undefined],
  ]);
  const fill = (text: string) =>
    interpolate(text, "persona", (name) => (variables.has(name) ? Promise.resolve(variables.get(name)) : undefined));
  for (const bad of ["{{unknown}}", "{{ model }}", "{{constructor}}", "{{Model}}", "{{empty}}", "{{}}"]) {
    await assert.rejects(fill(`a ${bad} b`), /"persona"/, bad);
  }
  assert.equal(await fill("a {{model}} b {{model}}"), "a {{model}} b {{model}}");
  assert.equal(await fill("a lone {{ stays"), "a lone {{ stays");
});

test("KN-063 the same tools in another order of registration give identical bytes; toolOrder places the listed ones", async (t) => {
  const bytes: string[] = [];
  for (const names of [
    ["read", "bash", "Zeta"],
    ["Zeta", "bash", "read"],
  ]) {
    const root = await openRoot({ prompt: { includeHarnessIdentity: false } });
    for (const name of names) root.ctx.tools.register(echoTool(name));
    bytes.push(JSON.stringify((await root.ctx.systemPrompt.assemble()).tools));
    await root.close();
  }
  assert.equal(bytes[0], bytes[1]);

  const root = await openRoot({ prompt: { toolOrder: ["read", "<unlisted-tools>", "bash"] } });
  t.after(() => root.close());
  const { ctx } = root;
  for (const name of ["bash", "grep", "read"]) ctx.tools.register(echoTool(name));
  const order = async (scope?: object) => (await ctx.systemPrompt.assemble(scope ? { scope } : {})).tools.map((tool) => tool.name);
  assert.deepEqual(await order(), ["read", "grep", "bash"]);
  const scope = createScope(ctx, {});
  scope.ctx.tools.restrict({ deny: ["bash"] });
  assert.deepEqual(await order(scope.key), ["read", "grep"]);
  await scope.dispose();
});

test("SYS-4 a toolOrder with a name nobody provides fails the assembly; without its rest entry it fails the load", async (t) => {
  const root = await openRoot({ prompt: { toolOrder: ["nowhere", "<unlisted-tools>"] } });
  t.after(() => root.close());
  await assert.rejects(root.ctx.systemPrompt.assemble(), /"nowhere"/);
  await assert.rejects(openRoot({ prompt: { toolOrder: ["read"] } }), /<unlisted-tools>/);
});

test("KN-064 a listener of one scope does not shape another scope's prompt", async (t) => {
  const root = await openRoot({ prompt: { includeHarnessIdentity: false, personaPrefix: "base" } });
  t.after(() => root.close());
  const { ctx } = root;
  const [one, two] = [createScope(ctx, {}), createScope(ctx, {})];
  one.ctx.on("system-prompt/assemble", async (_request, next) => ({ ...(await next()), sections: [{ name: "mine", text: "mine" }] }));
  const system = async (scope?: object) => (await ctx.systemPrompt.assemble(scope ? { scope } : {})).system;
  assert.deepEqual([await system(one.key), await system(two.key), await system()], ["mine", "base", "base"]);
  await Promise.all([one.dispose(), two.dispose()]);
});
