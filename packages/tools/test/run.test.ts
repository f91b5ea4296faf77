import assert from "node:assert/strict";
import { after, test } from "node:test";
import { z } from "zod";
import { defineTool, ToolError } from "../src/index.ts";
import { call, echoTool, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;

let bodies = 0;
const item = z.strictObject({ name: z.string(), kind: z.enum(["a", "b"]) });
ctx.tools.register(
  defineTool({
    name: "nested",
    description: "Counts items.",
    parameters: z.object({ items: z.array(item), limit: z.number().optional() }),
    output: z.object({ count: z.number() }),
    async execute({ items }) {
      bodies++;
      return { count: items.length };
    },
    render: ({ count }) => `${count}`,
  }),
);

test("EX-001 an extra top-level argument is ignored, an extra key in a closed object is INVALID_ARGS", async () => {
  assert.equal(textOf(await call(ctx, "nested", { items: [{ name: "x", kind: "a" }], extra: true })), "1");
  const outcome = await call(ctx, "nested", { items: [{ name: "x", kind: "a", extra: true }] });
  assert.deepEqual(outcome.error, { name: "ToolArgsError", code: "INVALID_ARGS" });
  assert.equal(textOf(outcome), "Error: unexpected property items[0].extra");
});

test("EX-002 arguments that are no JSON are INVALID_ARGS after policy, and the body never runs", async () => {
  const before = bodies;
  let policy = 0;
  const undo = ctx.on("tools/pre-execute", (_execution, next) => {
    policy++;
    return next();
  });
  const outcome = await call(ctx, "nested", '{"items": [');
  assert.deepEqual([outcome.error?.code, bodies - before, policy], ["INVALID_ARGS", 0, 1]);
  await undo();
});

test("all violations are named at once; an empty string means no arguments", async () => {
  const outcome = await call(ctx, "nested", { items: [{ kind: "c" }, 4], limit: "3" });
  const expected = [
    "items[0].kind must be one of",
    "missing required property items[0].name",
    "items[1] must be an object",
    "limit must be a number",
  ];
  for (const violation of expected) assert.ok(textOf(outcome).includes(violation), violation);
  assert.equal(textOf(outcome).split("; ").length, 4);
  assert.equal(textOf(await call(ctx, "nested", "")), "Error: missing required property items");
});

test("KN-047 a value outside the output schema, or one that is no JSON, is INVALID_TOOL_OUTPUT", async () => {
  for (const bad of [7, undefined, Number.NaN]) {
    const undo = ctx.tools.register(echoTool("liar", () => bad as unknown as string));
    assert.deepEqual((await call(ctx, "liar", {})).error?.code, "INVALID_TOOL_OUTPUT");
    await undo();
  }
});

test("KN-052 a value that a wrapper takes from elsewhere passes the same validation", async () => {
  const undoTool = ctx.tools.register(echoTool("cached", () => "fresh"));
  for (const [value, text] of [
    ["from the cache", "from the cache"],
    [{ count: 1 }, undefined],
  ] as const) {
    const undo = ctx.on("tools/execute", () => Promise.resolve({ kind: "value", value }));
    const outcome = await call(ctx, "cached", {});
    if (text === undefined) assert.equal(outcome.error?.code, "INVALID_TOOL_OUTPUT");
    else assert.equal(textOf(outcome), text);
    await undo();
  }
  await undoTool();
});

test("KN-048 a wrapper may swap the body's signal, and the caller's cancellation still reaches the body", async () => {
  const caller = new AbortController();
  let bodySignal: AbortSignal | undefined;
  const undoTool = ctx.tools.register(
    echoTool("waiting", async (_args, run) => {
      bodySignal = run.signal;
      caller.abort();
      return "done";
    }),
  );
  const undo = ctx.on("tools/execute", (_execution, dispatch, next) => {
    dispatch.signal = new AbortController().signal;
    return next();
  });
  const outcome = await call(ctx, "waiting", {}, { signal: caller.signal });
  assert.deepEqual([bodySignal?.aborted, bodySignal === caller.signal, outcome.error?.code], [true, false, "ABORTED"]);
  await Promise.all([undo(), undoTool()]);
});

test("KN-049 cancellation before the body, in it and after it has the right code", async () => {
  const before = bodies;
  const already = AbortSignal.abort();
  let policy = 0;
  const count = (_execution: unknown, ...rest: unknown[]) => {
    policy++;
    return (rest.at(-1) as () => Promise<never>)();
  };
  const undoCounts = [ctx.on("tools/pre-execute", count), ctx.on("tools/post-execute", count)];
  const outcome = await call(ctx, "nested", { items: [] }, { signal: already });
  assert.deepEqual([outcome.error, bodies - before, policy], [{ name: "AbortError", code: "ABORTED_BEFORE_DISPATCH" }, 0, 0]);
  assert.equal((await call(ctx, "nested", "[1e999]", { signal: already })).error?.code, "INVALID_ARGS", "unusable arguments come first");
  await Promise.all(undoCounts.map((dispose) => dispose()));

  const late = new AbortController();
  const ran = await (await prepare(ctx, "nested", { items: [] }, { signal: late.signal })).run();
  const undo = ctx.on("tools/post-execute", (_execution, _settled, next) => {
    late.abort();
    return next();
  });
  assert.equal((await ran.commit()).error?.code, "ABORTED");
  await undo();

  const caller = new AbortController();
  const prepared = await prepare(ctx, "nested", { items: [] }, { signal: caller.signal });
  caller.abort();
  assert.equal((await (await prepared.run()).commit()).error?.code, "ABORTED_BEFORE_DISPATCH");
});

test("AG-096 EX-006 a body that ignores its signal is awaited, and its success becomes ABORTED", async () => {
  const caller = new AbortController();
  const gate = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const undo = ctx.tools.register(
    echoTool("stubborn", (_args, run) => {
      run.defer({ content: [{ type: "text", text: "kept" }], source: { kind: "plugin", plugin: "test" } });
      started.resolve();
      return gate.promise;
    }),
  );
  const prepared = await prepare(ctx, "stubborn", {}, { signal: caller.signal });
  let settled = false;
  const running = prepared.run().then((ran) => {
    settled = true;
    return ran.commit();
  });
  await started.promise;
  caller.abort();
  await new Promise(setImmediate);
  assert.equal(settled, false);
  gate.resolve("late success");
  const outcome = await running;
  assert.deepEqual([outcome.error?.code, outcome.additionalContexts.length], ["ABORTED", 1]);
  await undo();
});

test("EX-007 an error of the tool's own after the abort is kept; the bare abort becomes ABORTED", async () => {
  for (const [thrown, code] of [
    [() => new ToolError("LSP_LOST", "the server went away"), "LSP_LOST"],
    [(signal: AbortSignal) => signal.reason, "ABORTED"],
  ] as const) {
    const caller = new AbortController();
    const undo = ctx.tools.register(
      echoTool("failing", (_args, run) => {
        caller.abort();
        throw thrown(run.signal);
      }),
    );
    assert.equal((await call(ctx, "failing", {}, { signal: caller.signal })).error?.code, code);
    await undo();
  }
});

test("TLS-9 a plain error has no code; the deferred notices of a failed body survive", async () => {
  const undo = ctx.tools.register(
    echoTool("plain", (_args, run) => {
      run.defer({ content: [{ type: "text", text: "note" }], source: { kind: "plugin", plugin: "test" } });
      throw new Error("blank command");
    }),
  );
  const outcome = await call(ctx, "plain", {});
  assert.deepEqual([textOf(outcome), outcome.error, outcome.additionalContexts.length], ["Error: blank command", undefined, 1]);
  await undo();
});

test("a wrapper that throws gives a final result: the post stage does not see it", async () => {
  let posted = 0;
  const undo = [
    ctx.on("tools/execute", () => Promise.reject(new Error("wrapper broke"))),
    ctx.on("tools/post-execute", (_execution, _settled, next) => {
      posted++;
      return next();
    }),
  ];
  const outcome = await call(ctx, "nested", { items: [] });
  assert.deepEqual([textOf(outcome), posted], ["Error: wrapper broke", 0]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("a body and a commit run once", async () => {
  const prepared = await prepare(ctx, "nested", { items: [] });
  const ran = await prepared.run();
  await assert.rejects(prepared.run(), /called once/);
  await ran.commit();
  await assert.rejects(ran.commit(), /called once/);
});
