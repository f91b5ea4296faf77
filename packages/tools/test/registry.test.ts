import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createScope, isKernelError } from "@gantry/kernel";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const names = (scope?: object) => [...ctx.tools.view(scope).keys()].sort();

test("KN-037 a scoped tool shadows the global one in either order; a duplicate in one layer fails", async () => {
  const early = createScope(ctx, {});
  early.ctx.tools.register(echoTool("shadow", () => "early"));
  const undo = ctx.tools.register(echoTool("shadow", () => "global"));
  const late = createScope(ctx, {});
  late.ctx.tools.register(echoTool("shadow", () => "late"));
  const answer = async (scope?: object) => textOf(await call(ctx, "shadow", {}, scope ? { agent: testAgent({ scope }) } : {}));
  assert.deepEqual([await answer(), await answer(early.key), await answer(late.key)], ["global", "early", "late"]);
  assert.throws(
    () => late.ctx.tools.register(echoTool("shadow")),
    (error) => isKernelError(error, "NAME_TAKEN"),
  );
  assert.throws(() => ctx.tools.register(echoTool("shadow")), /through that scope's context/);
  await Promise.all([early.dispose(), late.dispose(), undo()]);
  assert.deepEqual(names(), []);
});

const unscoped =
  "tools.restrict() requires a scoped context (agent.ctx): a context-global restriction would mask every agent — deny the tool for the intended agent instead";

test("KN-038 restrict refuses unscoped, empty, unknown and own names, and lists the known ones", async () => {
  const undo = ctx.tools.register(echoTool("known"));
  const scope = createScope(ctx, {});
  scope.ctx.tools.register(echoTool("own"));
  assert.throws(
    () => ctx.tools.restrict({ deny: ["known"] }),
    (error) => isKernelError(error, "RESTRICT_UNSCOPED") && error.message === unscoped,
  );
  assert.throws(() => scope.ctx.tools.restrict({}), /needs an allow or a deny list/);
  assert.throws(() => scope.ctx.tools.restrict({ deny: ["nowhere"] }), /Known tools: known\./);
  assert.throws(() => scope.ctx.tools.restrict({ deny: ["own"] }), /registered by this scope itself/);
  assert.throws(() => scope.ctx.tools.restrict({ deny: ["run_code"] }), /is not a tool this scope inherits/);
  await Promise.all([scope.dispose(), undo()]);
});

test("KN-040 KN-041 a restriction filters what a scope and its descendants inherit, never the scope's own tools", async () => {
  const undo = ctx.tools.register(echoTool("base"));
  const preset = createScope(ctx, {});
  preset.ctx.tools.register(echoTool("preset"));
  const child = createScope(ctx, {}, { parent: preset.key });
  child.ctx.tools.register(echoTool("own"));
  const lift = child.ctx.tools.restrict({ deny: ["preset"] });
  assert.deepEqual(names(child.key), ["base", "own"]);
  preset.ctx.tools.restrict({ deny: ["base"] });
  const grandchild = createScope(ctx, {}, { parent: child.key });
  assert.deepEqual(names(grandchild.key), ["own"]);
  await lift();
  assert.deepEqual(names(grandchild.key), ["own", "preset"]);
  assert.deepEqual(names(), ["base"]);
  await Promise.all([grandchild.dispose(), child.dispose(), preset.dispose(), undo()]);
});

test("T-6 a tool that appears after a restriction is filtered too", async () => {
  const undo = ctx.tools.register(echoTool("first"));
  const scope = createScope(ctx, {});
  scope.ctx.tools.restrict({ allow: ["first"] });
  const undoLate = ctx.tools.register(echoTool("later"));
  assert.deepEqual(names(scope.key), ["first"]);
  await Promise.all([scope.dispose(), undo(), undoLate()]);
});

test("AG-089 a restricted tool is hidden and answers UNKNOWN_TOOL", async () => {
  const undo = ctx.tools.register(echoTool("bash"));
  const scope = createScope(ctx, {});
  scope.ctx.tools.restrict({ deny: ["bash"] });
  const outcome = await call(ctx, "bash", {}, { agent: testAgent({ scope: scope.key }) });
  assert.equal(outcome.error?.code, "UNKNOWN_TOOL");
  await Promise.all([scope.dispose(), undo()]);
});

test("KN-054 schemas carry name, description and parameters only, as detached copies in code-unit order", async () => {
  const undo = [echoTool("beta"), { ...echoTool("Alpha"), timeoutMs: 5, isConcurrencySafe: () => true }].map((tool) =>
    ctx.tools.register(tool),
  );
  const schemas = ctx.tools.schemas();
  assert.deepEqual(
    schemas.map((schema) => Object.keys(schema)),
    [
      ["name", "description", "parameters"],
      ["name", "description", "parameters"],
    ],
  );
  assert.deepEqual(
    schemas.map(({ name }) => name),
    ["Alpha", "beta"],
  );
  (schemas[0]?.parameters.properties as Record<string, unknown>).hacked = {};
  assert.deepEqual(Object.keys(ctx.tools.schemas()[0]?.parameters.properties as object), ["text"]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("what is offered at each step is frozen, and made anew only when something about it changes", async () => {
  const undo = ctx.tools.register(echoTool("kept"));
  const scope = createScope(ctx, {});
  const [first] = ctx.tools.offered(scope.key);
  assert.equal(ctx.tools.offered(scope.key), ctx.tools.offered(scope.key));
  assert.throws(() => {
    (first?.parameters.properties as Record<string, unknown>).hacked = {};
  }, TypeError);
  const lift = scope.ctx.tools.restrict({ deny: ["kept"] });
  assert.deepEqual(ctx.tools.offered(scope.key), []);
  await lift();
  const again = scope.ctx.tools.register(echoTool("kept", () => "own"));
  assert.deepEqual(ctx.tools.offered(scope.key), ctx.tools.schemas(scope.key));
  assert.notEqual(ctx.tools.offered(scope.key)[0], first);
  await Promise.all([again(), undo(), scope.dispose()]);
});

test("KN-055 a classifier that throws, answers 1 or meets unfit arguments is exclusive; exactly true is parallel", async () => {
  const mode = (isConcurrencySafe: () => unknown, args = "{}") => {
    const undo = ctx.tools.register({ ...echoTool("classified"), isConcurrencySafe });
    const found = ctx.tools.executionMode({ callId: "c", name: "classified", arguments: args });
    void undo();
    return found;
  };
  assert.equal(
    mode(() => true),
    "parallel",
  );
  assert.equal(
    mode(() => 1),
    "exclusive",
  );
  assert.equal(
    mode(() => {
      throw new Error("no idea");
    }),
    "exclusive",
  );
  assert.equal(
    mode(() => true, '{"text":1}'),
    "exclusive",
  );
  assert.equal(ctx.tools.executionMode({ callId: "c", name: "nowhere", arguments: "{}" }), "exclusive");
});

test("T-2 TLS-2 bad names, reserved names and schemas outside the subset are refused at registration", () => {
  assert.throws(() => ctx.tools.register(echoTool("has space")), /no tool name/);
  assert.throws(() => ctx.tools.register(echoTool("x".repeat(65))), /no tool name/);
  assert.throws(() => ctx.tools.register(echoTool("run_code")), /reserved/);
  const parameters = { type: "object", properties: { a: { type: "string", pattern: "x" } } };
  assert.throws(() => ctx.tools.register({ ...echoTool("regex"), parameters }), /parameters\.properties\.a uses "pattern"/);
  assert.throws(() => ctx.tools.register({ ...echoTool("list"), parameters: { type: "array" } }), /must have type "object"/);
});

test("a plugin's tools, guards and sections go with it", async () => {
  const handle = await root.mount({
    name: "weather",
    inject: ["tools", "systemPrompt"],
    apply(own) {
      own.tools.register(echoTool("weather"));
      own.tools.guard(() => "closed");
      own.systemPrompt.section({ name: "weather:guidance", order: 150, text: "Look outside." });
    },
  });
  assert.deepEqual(names(), ["weather"]);
  assert.equal(textOf(await call(ctx, "weather", {})), "Error: closed");
  await handle.dispose();
  assert.deepEqual(names(), []);
  assert.doesNotMatch((await ctx.systemPrompt.assemble()).system, /outside/);
});
