import assert from "node:assert/strict";
import { after, test } from "node:test";
import { toolTimeoutPolicy } from "../src/index.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
await root.mount(toolTimeoutPolicy);

const aborted = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

test("EX-300 a tool without a budget and a fast tool are untouched", async () => {
  const undo = ctx.tools.register({ ...echoTool("fast"), timeoutMs: 10_000 });
  const undoBare = ctx.tools.register(echoTool("bare", (_args, run) => String(run.signal === run.execution.signal)));
  assert.equal(textOf(await call(ctx, "fast", { text: "in time" })), "in time");
  assert.equal(textOf(await call(ctx, "bare", {})), "true");
  await Promise.all([undo(), undoBare()]);
});

test("EX-300 at the deadline both a success and the tool's own abort error become TOOL_TIMEOUT", async () => {
  for (const fails of [false, true]) {
    const undo = ctx.tools.register({
      ...echoTool("slow", async (_args, run) => {
        await aborted(run.signal);
        if (fails) throw new Error("provider aborted");
        return "late";
      }),
      timeoutMs: 5,
    });
    const outcome = await call(ctx, "slow", {});
    assert.deepEqual(outcome.error, { name: "ToolTimeoutError", code: "TOOL_TIMEOUT" });
    assert.equal(textOf(outcome), "Error: tool call timed out after 5ms");
    await undo();
  }
});

test("AG-221 EX-300 whoever was first decides: caller first stays ABORTED, deadline first stays TOOL_TIMEOUT", async () => {
  const caller = new AbortController();
  const undoFirst = ctx.tools.register({
    ...echoTool("caller-first", async (_args, run) => {
      caller.abort();
      await aborted(run.signal);
      return "late";
    }),
    timeoutMs: 10_000,
  });
  assert.equal((await call(ctx, "caller-first", {}, { signal: caller.signal })).error?.code, "ABORTED");
  const second = new AbortController();
  const undoSecond = ctx.tools.register({
    ...echoTool("deadline-first", async (_args, run) => {
      await aborted(run.signal);
      second.abort();
      return "late";
    }),
    timeoutMs: 5,
  });
  assert.equal((await call(ctx, "deadline-first", {}, { signal: second.signal })).error?.code, "TOOL_TIMEOUT");
  await Promise.all([undoFirst(), undoSecond()]);
});

test("EX-300 post-execute sees the caller's signal", async () => {
  const caller = new AbortController();
  const undoTool = ctx.tools.register({ ...echoTool("budgeted"), timeoutMs: 10_000 });
  let seen: AbortSignal | undefined;
  const undo = ctx.on("tools/post-execute", (execution, _settled, next) => {
    seen = execution.signal;
    return next();
  });
  await call(ctx, "budgeted", {}, { signal: caller.signal });
  assert.equal(seen, caller.signal);
  await Promise.all([undo(), undoTool()]);
});
