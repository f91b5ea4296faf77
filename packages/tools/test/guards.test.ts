import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Context, createScope } from "@gantry/kernel";
import type { ToolExecution, ToolGuard } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const lines: string[] = [];
const silent = () => {};
const tell = (fields: object) => void lines.push(String((fields as { err?: unknown }).err));
const root = await openRoot({ logger: { debug: silent, info: silent, warn: silent, error: tell } });
after(() => root.close());
const { ctx } = root;
let bodies = 0;
ctx.tools.register(
  echoTool("rm_cache", () => {
    bodies++;
    return "cache deleted";
  }),
);

/** Fails the test process if a rejection goes unhandled, as the runner does; a macrotask gives it time to. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("T-13 guards are synchronous: one that answers with a promise denies, whatever the promise comes to", async () => {
  const before = bodies;
  for (const promise of [async () => undefined, async () => "too late", () => Promise.reject(new Error("async guard"))]) {
    const undo = ctx.tools.guard(promise as unknown as ToolGuard);
    const outcome = await call(ctx, "rm_cache", {});
    assert.deepEqual([outcome.isError, outcome.error?.code], [true, "GUARD_FAILED"]);
    await turn();
    await undo();
  }
  assert.equal(bodies, before);
});

test("T-13 guards run only on what policy allowed, approval included, and can still refuse it", async () => {
  let asked = 0;
  const undoGuard = ctx.tools.guard(() => {
    asked++;
    return "not even with approval";
  });
  const approval = { request: async () => "allowed-once" as const };
  const approver = await root.mount({ name: "approver", apply: (own: Context) => void own.provide("approval", approval) });
  const undoAsk = ctx.on("tools/pre-execute", async () => ({ kind: "ask" }));
  assert.equal(textOf(await call(ctx, "rm_cache", {}, { agent: testAgent() })), "Error: not even with approval");
  assert.equal(asked, 1);
  await undoAsk();
  const undoDeny = ctx.on("tools/pre-execute", async () => ({ kind: "deny", reason: "no" }));
  await call(ctx, "rm_cache", {});
  assert.equal(asked, 1);
  await Promise.all([undoGuard(), undoDeny(), approver.dispose()]);
});

test("T-12 a stop while the question is open gives the cancellation, not a denial", async () => {
  const caller = new AbortController();
  const undoAsk = ctx.on("tools/pre-execute", async () => ({ kind: "ask", reason: "deletes files" }));
  const request = async () => {
    caller.abort();
    return "cancelled" as const;
  };
  const approver = await root.mount({ name: "approver", apply: (own: Context) => void own.provide("approval", { request }) });
  const outcome = await call(ctx, "rm_cache", {}, { agent: testAgent(), signal: caller.signal });
  assert.equal(outcome.error?.code, "ABORTED_BEFORE_DISPATCH");
  await Promise.all([undoAsk(), approver.dispose()]);
});

test("T-10 KN-046 a listener that tries to rewrite the arguments or the execution fails, and nothing runs", async () => {
  const before = bodies;
  const tamperings: ((execution: ToolExecution) => void)[] = [
    (execution) => {
      (execution.arguments as { text: string }).text = "other";
    },
    (execution) => {
      (execution as { orgId?: string }).orgId = "another org";
    },
  ];
  for (const tamper of tamperings) {
    const undo = ctx.on("tools/pre-execute", async (execution, next) => {
      tamper(execution);
      return next();
    });
    assert.match(textOf(await call(ctx, "rm_cache", { text: "mine" })), /^Error: Cannot (assign|add)/);
    await undo();
  }
  assert.equal(bodies, before);
});

test("KN-020 a policy listener that asks further twice fails the call instead of skipping the listeners inside it", async () => {
  const before = bodies;
  let inner = 0;
  const undo = [
    ctx.on("tools/pre-execute", async (_execution, next) => {
      await next();
      return next();
    }),
    ctx.on("tools/pre-execute", (_execution, next) => {
      inner++;
      return next();
    }),
  ];
  const outcome = await call(ctx, "rm_cache", {});
  assert.deepEqual([outcome.error?.code, inner, bodies - before], ["NEXT_CALLED_TWICE", 1, 0]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("T-19 each execution has a token of its own; a nested call carries its parent's and the root call's id", async () => {
  const seen: ToolExecution[] = [];
  const undo = ctx.on("tools/pre-execute", (execution, next) => {
    seen.push(execution);
    return next();
  });
  const outer = await prepare(ctx, "rm_cache", {});
  const again = await ctx.tools.prepare({ callId: outer.execution.callId, name: "rm_cache", arguments: "{}" }, options());
  assert.notEqual(outer.execution.token, again.execution.token, "the same call id twice is two executions");
  const inner = await ctx.tools.prepare({ callId: "sub-1", name: "rm_cache", arguments: "{}" }, { ...options(), parent: outer.execution });
  const deeper = await ctx.tools.prepare({ callId: "sub-2", name: "rm_cache", arguments: "{}" }, { ...options(), parent: inner.execution });
  assert.deepEqual([inner.execution.parentToken, deeper.execution.parentToken], [outer.execution.token, inner.execution.token]);
  assert.deepEqual(
    [inner, deeper].map(({ execution }) => execution.rootCallId),
    Array(2).fill(outer.execution.callId),
  );
  assert.deepEqual(
    seen.map(({ parentToken }) => parentToken !== undefined),
    [false, false, true, true],
  );
  await undo();
});

test("T-21 an observer that fails later is contained too, and those after it still hear", async () => {
  const heard: string[] = [];
  const undo = [
    ctx.on("tools/result", async () => {
      throw new Error("observer fell over");
    }),
    ctx.on("tools/result", ({ name }) => void heard.push(name)),
  ];
  lines.length = 0;
  assert.equal(textOf(await call(ctx, "rm_cache", {})), "cache deleted");
  await turn();
  assert.deepEqual([heard, lines], [["rm_cache"], ["Error: observer fell over"]]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("T-22 result observers and wrappers of one scope never hear a sibling's calls", async () => {
  const [one, two] = [createScope(ctx, {}), createScope(ctx, {})];
  const heard: string[] = [];
  one.ctx.on("tools/execute", (_execution, _dispatch, next) => {
    heard.push("wrapper");
    return next();
  });
  one.ctx.on("tools/post-execute", (_execution, _settled, next) => {
    heard.push("post");
    return next();
  });
  one.ctx.on("tools/result", () => void heard.push("result"));
  await call(ctx, "rm_cache", {}, { agent: testAgent({ scope: two.key }) });
  await call(ctx, "rm_cache", {});
  assert.deepEqual(heard, []);
  await call(ctx, "rm_cache", {}, { agent: testAgent({ scope: one.key }) });
  assert.deepEqual(heard, ["wrapper", "post", "result"]);
  await Promise.all([one.dispose(), two.dispose()]);
});

function options() {
  return { signal: new AbortController().signal, turn: 1, step: 1 };
}
