import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Context, createScope } from "@gantry/kernel";
import type { ApprovalOutcome } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
let bodies = 0;
ctx.tools.register(
  echoTool("rm_cache", () => {
    bodies++;
    return "cache deleted";
  }),
);

test("AG-091 a throwing pre-execute listener gives a final error: no body, no post stage", async () => {
  const before = bodies;
  let posted = 0;
  const undo = [
    ctx.on("tools/pre-execute", () => Promise.reject(new Error("policy is broken"))),
    ctx.on("tools/post-execute", (_execution, _settled, next) => {
      posted++;
      return next();
    }),
  ];
  const outcome = await call(ctx, "rm_cache", {});
  assert.deepEqual([outcome.isError, textOf(outcome), outcome.error], [true, "Error: policy is broken", undefined]);
  assert.deepEqual([bodies - before, posted], [0, 0]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("TLS-13 a malformed decision never allows", async () => {
  const before = bodies;
  // biome-ignore lint/suspicious/noExplicitAny: what an untyped listener could answer
  const undo = ctx.on("tools/pre-execute", () => Promise.resolve({ kind: "sure" } as any));
  assert.equal((await call(ctx, "rm_cache", {})).isError, true);
  assert.equal(bodies, before);
  await undo();
});

test("AG-093 listeners see an unknown tool's name, then it answers UNKNOWN_TOOL", async () => {
  const seen: string[] = [];
  const undo = ctx.on("tools/pre-execute", (execution, next) => {
    seen.push(execution.name);
    return next();
  });
  const outcome = await call(ctx, "no_such_tool", {});
  assert.deepEqual(seen, ["no_such_tool"]);
  assert.deepEqual(outcome.error, { name: "ToolNotFoundError", code: "UNKNOWN_TOOL" });
  await undo();
});

test("T-11 T-13 an outer listener can skip an inner denial, but nothing turns a guard's back", async () => {
  const undoDeny = ctx.on("tools/pre-execute", () => Promise.resolve({ kind: "deny", reason: "disabled by policy" }));
  assert.equal(textOf(await call(ctx, "rm_cache", {})), "Error: disabled by policy");
  const undoAllow = ctx.on("tools/pre-execute", () => Promise.resolve({ kind: "allow" }), { prepend: true });
  assert.equal(textOf(await call(ctx, "rm_cache", {})), "cache deleted");
  const undoGuard = ctx.tools.guard(() => "disabled by policy");
  assert.equal(textOf(await call(ctx, "rm_cache", {})), "Error: disabled by policy");
  await Promise.all([undoDeny(), undoAllow(), undoGuard()]);
});

test("a denial keeps the identity that policy gave it", async () => {
  const undo = ctx.on("tools/pre-execute", () =>
    Promise.resolve({ kind: "deny", reason: "plan first", info: { name: "PlanError", code: "PLAN_OPEN" } }),
  );
  assert.deepEqual((await call(ctx, "rm_cache", {})).error, { name: "PlanError", code: "PLAN_OPEN" });
  await undo();
});

test("KN-042 a scoped listener gates its agent only, never agent-less calls", async () => {
  const scope = createScope(ctx, {});
  scope.ctx.on("tools/pre-execute", () => Promise.resolve({ kind: "deny", reason: "not you" }));
  assert.equal(textOf(await call(ctx, "rm_cache", {}, { agent: testAgent({ scope: scope.key }) })), "Error: not you");
  assert.equal(textOf(await call(ctx, "rm_cache", {}, { agent: testAgent() })), "cache deleted");
  assert.equal(textOf(await call(ctx, "rm_cache", {})), "cache deleted");
  await scope.dispose();
});

test("KN-043 the global guard abstains, the scoped one denies; a guard added by a guard counts in the same call", async () => {
  const scope = createScope(ctx, {});
  const agent = testAgent({ scope: scope.key });
  const undoGlobal = ctx.tools.guard(() => undefined);
  const undoScoped = scope.ctx.tools.guard(() => "scoped veto");
  assert.equal(textOf(await call(ctx, "rm_cache", {}, { agent })), "Error: scoped veto");
  await undoScoped();
  let added = false;
  scope.ctx.tools.guard(() => {
    if (!added) scope.ctx.tools.guard(() => "added veto");
    added = true;
    return undefined;
  });
  assert.equal(textOf(await call(ctx, "rm_cache", {}, { agent })), "Error: added veto");
  await Promise.all([undoGlobal(), scope.dispose()]);
});

test("AG-097 an ancestor's guard runs before the nearest one", async () => {
  const order: string[] = [];
  const note = (who: string) => () => void order.push(who);
  const preset = createScope(ctx, {});
  const scope = createScope(ctx, {}, { parent: preset.key });
  scope.ctx.tools.guard(note("own") as () => undefined);
  preset.ctx.tools.guard(note("preset") as () => undefined);
  const undo = ctx.tools.guard(note("global") as () => undefined);
  await call(ctx, "rm_cache", {}, { agent: testAgent({ scope: scope.key }) });
  assert.deepEqual(order, ["global", "preset", "own"]);
  await Promise.all([scope.dispose(), preset.dispose(), undo()]);
});

test("T-13 a guard that throws, or answers with another type, denies with GUARD_FAILED", async () => {
  const bad = [
    () => {
      throw new Error("oops");
    },
    () => true as unknown as string,
  ];
  for (const guard of bad) {
    const undo = ctx.tools.guard(guard);
    const outcome = await call(ctx, "rm_cache", {});
    assert.deepEqual([outcome.isError, outcome.error?.code], [true, "GUARD_FAILED"]);
    await undo();
  }
});

test("KN-046 arguments are read once and frozen for all stages; what is not lossless JSON fails before policy", async () => {
  let reads = 0;
  const request = {
    callId: "c",
    name: "rm_cache",
    get arguments() {
      reads++;
      return '{"text":"a","list":[{"deep":1}]}';
    },
  };
  let frozen = false;
  let policy = 0;
  const undo = ctx.on("tools/pre-execute", (execution, next) => {
    policy++;
    const args = execution.arguments as { list: object[] };
    frozen = Object.isFrozen(execution) && Object.isFrozen(args) && Object.isFrozen(args.list) && Object.isFrozen(args.list[0]);
    return next();
  });
  const prepared = await ctx.tools.prepare(request, { signal: new AbortController().signal, turn: 1, step: 1 });
  await (await prepared.run()).commit();
  assert.deepEqual([reads, frozen, policy], [1, true, 1]);
  const outcome = await call(ctx, "rm_cache", '{"text":1e999}');
  assert.deepEqual([outcome.isError, policy], [true, 1]);
  await undo();
});

test("KN-050 a denial that settles after the cancellation is kept; an allow becomes an abort", async () => {
  for (const [decision, code, text] of [
    [{ kind: "deny", reason: "too late, still no" }, undefined, "Error: too late, still no"],
    [{ kind: "allow" }, "ABORTED_BEFORE_DISPATCH", "Error: tool call aborted before dispatch"],
    [{ kind: "cancel" }, "ABORTED_BEFORE_DISPATCH", "Error: tool call aborted before dispatch"],
  ] as const) {
    const caller = new AbortController();
    const before = bodies;
    const undo = ctx.on("tools/pre-execute", async () => {
      caller.abort();
      return decision;
    });
    const outcome = await call(ctx, "rm_cache", {}, { signal: caller.signal });
    assert.deepEqual([outcome.error?.code, textOf(outcome), bodies - before], [code, text, 0]);
    await undo();
  }
});

test("T-12 ask runs only when allowed once; every other end denies with its own reason", async () => {
  const undoAsk = ctx.on("tools/pre-execute", () => Promise.resolve({ kind: "ask", reason: "deletes files" }));
  const agent = testAgent();
  const texts = new Set<string>([textOf(await call(ctx, "rm_cache", {}, { agent }))]);
  for (const outcome of ["rejected", "cancelled", "unavailable", "always"] as ApprovalOutcome[]) {
    const handle = await root.mount(approver(async () => outcome));
    texts.add(textOf(await call(ctx, "rm_cache", {}, { agent })));
    await handle.dispose();
  }
  const broken = await root.mount(approver(() => Promise.reject(new Error("no channel"))));
  assert.match(textOf(await call(ctx, "rm_cache", {}, { agent })), /^Error: nobody could be asked/);
  await broken.dispose();
  assert.equal(texts.size, 4); // absent, rejected, cancelled, and one text for unavailable and for an unknown word
  assert.ok([...texts].every((text) => text.startsWith("Error: ") && text.includes("deletes files")));
  const yes = await root.mount(approver(async () => "allowed-once"));
  assert.equal(textOf(await call(ctx, "rm_cache", {}, { agent })), "cache deleted");
  assert.match(textOf(await call(ctx, "rm_cache", {})), /only a session's agent can ask/);
  await Promise.all([yes.dispose(), undoAsk()]);
});

function approver(request: () => Promise<ApprovalOutcome>) {
  return { name: "approver", apply: (own: Context) => void own.provide("approval", { request }) };
}
