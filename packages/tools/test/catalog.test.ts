import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { createScope } from "@gantry/kernel";
import { z } from "zod";
import { toolAskUser, toolBash, toolFs, toolFsSearch, toolTodo } from "../src/index.ts";
import { noAttachments } from "./support/attachments.ts";
import { noPeople } from "./support/no-people.ts";
import { noWorld } from "./support/no-world.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
await root.mount(noWorld);
await root.mount(noPeople);
await root.mount(toolAskUser);
await root.mount(noAttachments);
await root.mount(toolBash, { enableRunInBackground: true });
await root.mount(toolFs);
await root.mount(toolFsSearch, { sampleOverCapGlobResults: true });
await root.mount(toolTodo, { allowParallelInProgress: true });

const Entries = z.array(z.object({ name: z.string(), parameters: z.record(z.string(), z.json()) }));
const files = ["tool-bash", "tool-fs", "tool-fs-search", "tool-todo", "tool-ask-user"];
const catalogue = await Promise.all(
  files.map(async (name) => Entries.parse(JSON.parse(await readFile(new URL(`catalog/${name}.json`, import.meta.url), "utf8")))),
);

for (const entry of catalogue.flat()) {
  test(`the schema of ${entry.name} is the catalogue's: names, types, required, enums`, () => {
    const schema = ctx.tools.schemas().find((candidate) => candidate.name === entry.name);
    assert.deepEqual(withoutDescriptions(schema?.parameters), entry.parameters);
  });
}

test("every parameter is described for the model, and no description speaks of a parameter that is not offered", () => {
  for (const { name, description, parameters } of ctx.tools.schemas()) {
    for (const [parameter, schema] of Object.entries(parameters.properties as Record<string, { description?: string; items?: object }>)) {
      assert.ok((schema.description ?? "").length > 10, `${name}.${parameter}`);
    }
    assert.ok(description.length > 50, name);
    assert.doesNotMatch(description, /sandbox_permissions/);
  }
});

test("App. C: read and read_image alone are parallel-safe; glob and grep alone declare a budget", () => {
  const safe = [...ctx.tools.view()].filter(([, tool]) => tool.isConcurrencySafe).map(([name]) => name);
  const budgets = [...ctx.tools.view()].filter(([, tool]) => tool.timeoutMs !== undefined).map(([name, tool]) => [name, tool.timeoutMs]);
  assert.deepEqual(safe.sort(), ["read", "read_image"]);
  assert.deepEqual(budgets, [
    ["glob", 30_000],
    ["grep", 30_000],
  ]);
});

test("§20 guidance sections stand in their places, and todo_write adds none", async () => {
  const seen: string[] = [];
  const undo = ctx.on("system-prompt/assemble", async (_request, next) => {
    const assembly = await next();
    seen.push(...assembly.sections.map(({ name }) => name));
    return assembly;
  });
  await ctx.systemPrompt.assemble();
  assert.deepEqual(seen, ["harness:identity", "tool:read", "tool:write", "tool:edit", "tool:glob", "tool:grep", "tool:bash"]);
  await undo();
});

test("SYS-8 the guidance of a tool is absent where the tool is hidden", async () => {
  const scope = createScope(ctx, {});
  scope.ctx.tools.restrict({ deny: ["bash"] });
  const { system } = await ctx.systemPrompt.assemble({ scope: scope.key });
  assert.doesNotMatch(system, /Running commands/);
  assert.match((await ctx.systemPrompt.assemble()).system, /Running commands/);
  await scope.dispose();
});

/** `description` annotations go; a property that is called so stays. */
function withoutDescriptions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutDescriptions);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== "description" || typeof value !== "string")
      .map(([key, value]) => [key, withoutDescriptions(value)]),
  );
}
