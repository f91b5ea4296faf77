import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createScope, isKernelError } from "@gantry/kernel";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const warnings: object[] = [];
const silent = () => {};
const root = await openRoot({ logger: { debug: silent, info: silent, error: silent, warn: (fields) => void warnings.push(fields) } });
after(() => root.close());
const { ctx } = root;
ctx.tools.register(echoTool("bash"));
ctx.tools.register(echoTool("read"));
const offered = (scope?: object) => ctx.tools.schemas(scope).map(({ name }) => name);
const system = async (scope?: object) => (await ctx.systemPrompt.assemble(scope ? { scope } : {})).system;

test("AG-098 T-23 under ptc the transport alone is offered, a direct call of another tool is refused before policy, and the prompt says so", async () => {
  const undo = ctx.tools.registerTransport(echoTool("run_code", () => "ran"));
  const scope = createScope(ctx, {});
  scope.ctx.tools.presentAs("ptc");
  const agent = testAgent({ scope: scope.key });
  let policy = 0;
  scope.ctx.on("tools/pre-execute", (_execution, next) => {
    policy++;
    return next();
  });
  assert.deepEqual([offered(scope.key), offered()], [["run_code"], ["bash", "read"]]);
  const refused = await call(ctx, "bash", { text: "x" }, { agent });
  assert.deepEqual([refused.error?.code, policy], ["UNKNOWN_TOOL", 0]);
  assert.match(textOf(refused), /tools\.bash/);
  assert.equal(textOf(await call(ctx, "run_code", {}, { agent })), "ran");
  assert.equal(policy, 1);
  assert.match(await system(scope.key), /Your only tool is run_code\./);
  assert.doesNotMatch(await system(), /run_code/);
  assert.equal((await call(ctx, "run_code", {})).error?.code, "UNKNOWN_TOOL", "where tools are native there is no transport");
  await Promise.all([scope.dispose(), undo()]);
});

test("T-23 under both the transport comes beside the tools, and each may be called", async () => {
  const undo = ctx.tools.registerTransport(echoTool("run_code", () => "ran"));
  const undoMode = ctx.tools.presentAs("both");
  assert.deepEqual(offered(), ["bash", "read", "run_code"]);
  assert.equal(textOf(await call(ctx, "bash", { text: "direct" })), "direct");
  assert.equal(textOf(await call(ctx, "run_code", {})), "ran");
  assert.match(await system(), /from a program that you give to run_code/);
  await Promise.all([undo(), undoMode()]);
});

test("PTC-3 a program calls tools but never the transport it runs in, and its calls pass policy", async () => {
  const nested: string[] = [];
  const policy: string[] = [];
  const undo = [
    ctx.on("tools/pre-execute", (execution, next) => {
      policy.push(execution.callId);
      return next();
    }),
    ctx.tools.presentAs("ptc"),
    ctx.tools.registerTransport(
      echoTool("run_code", async (_args, { execution }) => {
        for (const name of ["bash", "run_code"]) {
          const options = { signal: execution.signal, turn: 1, step: 1, parent: execution };
          const prepared = await ctx.tools.prepare({ callId: `sub-${name}`, name, arguments: '{"text":"inner"}' }, options);
          nested.push(textOf(await (await prepared.run()).commit()));
        }
        return "ran";
      }),
    ),
  ];
  assert.equal(textOf(await call(ctx, "run_code", {})), "ran");
  assert.deepEqual(nested, ["inner", 'Error: there is no tool named "run_code" for this agent']);
  assert.deepEqual(policy.slice(1), ["sub-bash"]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("T-23 the nearest declaration decides, a layer holds one, and it goes with its owner", async () => {
  const undo = ctx.tools.registerTransport(echoTool("run_code"));
  const preset = createScope(ctx, {});
  const child = createScope(ctx, {}, { parent: preset.key });
  preset.ctx.tools.presentAs("ptc");
  assert.deepEqual(offered(child.key), ["run_code"]);
  const lift = child.ctx.tools.presentAs("native");
  assert.deepEqual([offered(child.key), offered(preset.key)], [["bash", "read"], ["run_code"]]);
  assert.throws(
    () => child.ctx.tools.presentAs("both"),
    (error) => isKernelError(error, "NAME_TAKEN"),
  );
  await lift();
  assert.deepEqual(offered(child.key), ["run_code"]);
  await Promise.all([child.dispose(), preset.dispose(), undo()]);
  assert.deepEqual(offered(preset.key), ["bash", "read"]);
});

test("T-23 without a transport ptc and both are native; the view says so, and the log once", async () => {
  for (const mode of ["ptc", "both"] as const) {
    const scope = createScope(ctx, {});
    scope.ctx.tools.presentAs(mode);
    const view = ctx.tools.presentation(scope.key);
    assert.deepEqual([view.declaration.mode, view.effective, view.transport], [mode, "native", undefined]);
    warnings.length = 0;
    const other = createScope(ctx, {});
    other.ctx.tools.presentAs(mode);
    for (let turn = 0; turn < 3; turn++) assert.doesNotMatch(await system(other.key), /run_code/);
    assert.deepEqual(offered(other.key), ["bash", "read"]);
    assert.equal(textOf(await call(ctx, "bash", { text: "works" }, { agent: testAgent({ scope: other.key }) })), "works");
    assert.deepEqual(
      warnings.map((fields) => ({ ...fields })),
      [{ fiber: "tools", code: "NO_TRANSPORT", declared: mode, effective: "native" }],
    );
    await Promise.all([scope.dispose(), other.dispose()]);
  }
});

test("T-2 T-4 only reserved names are transports; none is shadowed, and no restriction removes one", async () => {
  assert.throws(() => ctx.tools.registerTransport(echoTool("bash")), /only run_code/);
  const undoMode = ctx.tools.presentAs("both");
  const undo = ctx.tools.registerTransport(echoTool("run_code", () => "the platform's"));
  const scope = createScope(ctx, {});
  assert.throws(
    () => scope.ctx.tools.registerTransport(echoTool("run_code")),
    (error) => isKernelError(error, "NAME_TAKEN"),
  );
  scope.ctx.tools.restrict({ allow: ["bash"] });
  assert.deepEqual(offered(scope.key), ["bash", "run_code"]);
  await undo();
  scope.ctx.tools.registerTransport(echoTool("run_code", () => "its own"));
  const undoLate = ctx.tools.registerTransport(echoTool("run_code", () => "the platform's"));
  assert.equal(textOf(await call(ctx, "run_code", {}, { agent: testAgent({ scope: scope.key }) })), "the platform's");
  await Promise.all([scope.dispose(), undoLate(), undoMode()]);
});
