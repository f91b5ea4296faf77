import assert from "node:assert/strict";
import { test } from "node:test";
import { createScope, isKernelError } from "@gantry/kernel";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

type Closing = { after(fn: () => Promise<void>): void };
async function open(t: Closing, prompt: object = { includeHarnessIdentity: false }) {
  const root = await openRoot({ prompt });
  t.after(() => root.close());
  return { ...root, assemble: (scope?: object) => root.ctx.systemPrompt.assemble(scope ? { scope } : {}) };
}
const schema = (name: string) => ({ name, description: name, parameters: { type: "object" } as const });

test("AG-207 a name twice in one layer is refused; a scope's twin stands in before the global text is asked", async (t) => {
  const { ctx, assemble } = await open(t);
  let asked = 0;
  const text = () => {
    asked++;
    return "Global.";
  };
  ctx.systemPrompt.section({ name: "s", order: 1, text });
  assert.throws(
    () => ctx.systemPrompt.section({ name: "s", order: 9, text: "Again." }),
    (error) => isKernelError(error, "NAME_TAKEN"),
  );
  const scope = createScope(ctx, {});
  scope.ctx.systemPrompt.section({ name: "s", order: 1, text: "Own." });
  assert.deepEqual([(await assemble(scope.key)).system, asked], ["Own.", 0]);
  assert.deepEqual([(await assemble()).system, asked], ["Global.", 1]);
});

test("AG-208 a prototype's name is no variable, a value is not read again, and {{ is literal only when nothing closes it", async (t) => {
  const { ctx, assemble } = await open(t);
  ctx.systemPrompt.variable("x", () => "no");
  ctx.systemPrompt.variable("v", () => "{{x}} and {{constructor}}");
  const told = async (text: string) => {
    const undo = ctx.systemPrompt.section({ name: "s", order: 1, text });
    try {
      return (await assemble()).system;
    } finally {
      await undo();
    }
  };
  assert.equal(await told("a {{v}} b"), "a {{x}} and {{constructor}} b");
  assert.equal(await told("a {{ b"), "a {{ b");
  for (const bad of ["{{constructor}}", "{{toString}}", "{{ v }}", "{{v} }}", "{{ b }} {{", "{{}}"]) {
    await assert.rejects(told(bad), /"s"/, bad);
  }
});

test("AG-209 a listener may add what a text refers to; an order that names a tool nobody has fails, one that is only hidden does not", async (t) => {
  const { ctx, assemble } = await open(t, { includeHarnessIdentity: false, toolOrder: ["b", "<unlisted-tools>"] });
  ctx.systemPrompt.tools("p", () => ({ schemas: [schema("a")], known: ["a", "b"] }));
  assert.deepEqual(
    (await assemble()).tools.map(({ name }) => name),
    ["a"],
    "b is known and hidden here",
  );
  const other = await open(t, { includeHarnessIdentity: false, toolOrder: ["gone", "<unlisted-tools>"] });
  other.ctx.systemPrompt.tools("p", () => ({ schemas: [schema("a")], known: ["a"] }));
  await assert.rejects(other.assemble(), /gone/);
  const undo = ctx.on("system-prompt/assemble", async (_request, next) => {
    const assembly = await next();
    return { ...assembly, sections: [...assembly.sections, { name: "added", text: "Added." }] };
  });
  assert.equal((await assemble()).system, "Added.");
  await undo();
});

test("AG-211 the frozen result of another call, offered by a wrapper, is checked and rendered for this one", async (t) => {
  const { ctx } = await open(t);
  ctx.tools.register({
    ...echoTool("first"),
    output: { ...echoTool("first").output, render: (value) => [{ type: "text", text: `first: ${value}` }] },
  });
  ctx.tools.register({
    ...echoTool("second"),
    output: { ...echoTool("second").output, render: (value) => [{ type: "text", text: `second: ${value}` }] },
  });
  const earlier = await call(ctx, "first", { text: "x" });
  const undo = ctx.on("tools/execute", () => Promise.resolve({ kind: "value", value: earlier.value }));
  assert.equal(textOf(await call(ctx, "second", {})), "second: x");
  await undo();
  const whole = ctx.on("tools/execute", () => Promise.resolve({ kind: "value", value: earlier }));
  assert.equal((await call(ctx, "second", {})).error?.code, "INVALID_TOOL_OUTPUT", "a result is no value");
  await whole();
});

test("AG-212 a value that is no JSON, a renderer and a projector that throw each fail their own call and no other", async (t) => {
  const { ctx } = await open(t);
  const fails = () => {
    throw new Error("broken");
  };
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  ctx.tools.register(echoTool("cyclic", () => cyclic as never));
  ctx.tools.register({ ...echoTool("unrendered"), output: { ...echoTool("unrendered").output, render: fails } });
  ctx.tools.register({ ...echoTool("unprojected"), output: { ...echoTool("unprojected").output, presentationMeta: fails } });
  ctx.tools.register(echoTool("fine"));
  for (const name of ["cyclic", "unrendered", "unprojected"]) {
    const outcome = await call(ctx, name, { text: "x" });
    assert.ok(outcome.isError && textOf(outcome).startsWith("Error: "), name);
  }
  assert.equal(textOf(await call(ctx, "fine", { text: "still here" })), "still here");
});

test("AG-213 a guard that another adds while it is asked counts in the same call; without them the call is allowed again", async (t) => {
  const { ctx } = await open(t);
  ctx.tools.register(echoTool("act"));
  const added: (() => unknown)[] = [];
  const undo = ctx.tools.guard(() => {
    if (added.length === 0) added.push(ctx.tools.guard(() => "not today"));
    return undefined;
  });
  assert.match(textOf(await call(ctx, "act", { text: "x" })), /not today/);
  await undo();
  assert.match(textOf(await call(ctx, "act", { text: "x" })), /not today/, "the second stands on its own");
  for (const lift of added) await lift();
  assert.equal(textOf(await call(ctx, "act", { text: "x" })), "x");
});

test("AG-214 a restriction reaches every scope below it, and a scope's own tools stay", async (t) => {
  const { ctx } = await open(t);
  for (const name of ["read", "bash"]) ctx.tools.register(echoTool(name));
  const top = createScope(ctx, {});
  const middle = createScope(ctx, {}, { parent: top.key });
  const low = createScope(ctx, {}, { parent: middle.key });
  low.ctx.tools.register(echoTool("own"));
  top.ctx.tools.restrict({ deny: ["bash"] });
  const seen = (scope: object) => ctx.tools.schemas(scope).map(({ name }) => name);
  assert.deepEqual([seen(top.key), seen(middle.key), seen(low.key)], [["read"], ["read"], ["own", "read"]]);
  const agent = testAgent({ scope: low.key });
  assert.equal((await call(ctx, "bash", {}, { agent })).error?.code, "UNKNOWN_TOOL");
  assert.equal(textOf(await call(ctx, "own", { text: "mine" }, { agent })), "mine");
});
