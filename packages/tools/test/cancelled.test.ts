import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Context } from "@gantry/kernel";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const note = (text: string) => ({ content: [{ type: "text" as const, text }], source: { kind: "plugin" as const, plugin: "test" } });
let bodies = 0;
ctx.tools.register(
  echoTool("act", (_args, run) => {
    bodies++;
    run.defer(note("from the body"));
    return "done";
  }),
);

/** Gives up as code does that was handed a signal. */
function stopped(caller: AbortController): Promise<never> {
  caller.abort(new Error("stopped by the user"));
  return Promise.reject(caller.signal.reason);
}

type Case = { readonly at: string; readonly code: string; readonly bodies: number; readonly notices: number };
const cases: readonly Case[] = [
  { at: "tools/pre-execute", code: "ABORTED_BEFORE_DISPATCH", bodies: 0, notices: 0 },
  { at: "tools/execute before the body", code: "ABORTED_BEFORE_DISPATCH", bodies: 0, notices: 0 },
  { at: "tools/execute after the body", code: "ABORTED", bodies: 1, notices: 1 },
  { at: "tools/post-execute", code: "ABORTED", bodies: 1, notices: 1 },
];

for (const { at, ...expected } of cases) {
  test(`TLS-11 a listener that gives up with the caller is an abort, not a failure of its own: ${at}`, async () => {
    const before = bodies;
    const caller = new AbortController();
    const undo = at.startsWith("tools/pre")
      ? ctx.on("tools/pre-execute", () => stopped(caller))
      : at.startsWith("tools/post")
        ? ctx.on("tools/post-execute", () => stopped(caller))
        : ctx.on("tools/execute", async (_execution, _dispatch, next) => {
            if (at.endsWith("after the body")) await next();
            return stopped(caller);
          });
    const outcome = await call(ctx, "act", {}, { signal: caller.signal });
    await undo();
    const { error, additionalContexts } = outcome;
    assert.deepEqual({ code: error?.code, bodies: bodies - before, notices: additionalContexts.length }, expected);
    assert.match(textOf(outcome), /^Error: tool call aborted/);
  });
}

test("TLS-11 while a person is asked: an approver that gives up with the caller cancels the call; one that fails on its own denies it", async () => {
  const undo = ctx.on("tools/pre-execute", () => Promise.resolve({ kind: "ask" }));
  const answers: (string | undefined)[] = [];
  for (const isStopped of [true, false]) {
    const caller = new AbortController();
    const request = () => (isStopped ? stopped(caller) : Promise.reject(new Error("no channel")));
    const approver = await root.mount({ name: "approver", apply: (own: Context) => void own.provide("approval", { request }) });
    answers.push((await call(ctx, "act", {}, { signal: caller.signal, agent: testAgent() })).error?.code);
    await approver.dispose();
  }
  assert.deepEqual(answers, ["ABORTED_BEFORE_DISPATCH", undefined]);
  await undo();
});

test("TLS-11 a success that a wrapper makes up after the stop is an abort before dispatch when no body ran", async () => {
  const caller = new AbortController();
  const undo = ctx.on("tools/execute", () => {
    caller.abort();
    return Promise.resolve({ kind: "value", value: "made up", additionalContexts: [note("from the wrapper")] });
  });
  const { error, additionalContexts, concludesTurn } = await call(ctx, "act", {}, { signal: caller.signal });
  await undo();
  assert.deepEqual([error?.code, additionalContexts, concludesTurn], ["ABORTED_BEFORE_DISPATCH", [note("from the wrapper")], false]);
});

test("TLS-11a notices come in the order tool, wrapper, post stage; a failure of the post stage keeps those before it", async () => {
  const undo = [
    ctx.on("tools/execute", async (_execution, _dispatch, next) => {
      const executed = await next();
      return { ...executed, additionalContexts: [note("from the wrapper")] };
    }),
    ctx.on("tools/post-execute", async (_execution, _settled, next) => ({
      ...(await next()),
      additionalContexts: [note("from the post stage")],
    })),
  ];
  const said = async () => (await call(ctx, "act", {})).additionalContexts.map(({ content }) => (content[0] as { text: string }).text);
  assert.deepEqual(await said(), ["from the body", "from the wrapper", "from the post stage"]);
  undo.push(ctx.on("tools/post-execute", () => Promise.reject(new Error("broken"))));
  assert.deepEqual(await said(), ["from the body", "from the wrapper"]);
  await Promise.all(undo.map((dispose) => dispose()));
});

test("§1.4 what failed or was denied before the stop stays that; a block after it stays the block's", async () => {
  const caller = new AbortController();
  const undo = ctx.on("tools/post-execute", () => {
    caller.abort();
    return Promise.resolve({ kind: "block", feedback: [{ type: "text", text: "not that way" }], additionalContexts: [note("why")] });
  });
  const outcome = await call(ctx, "act", {}, { signal: caller.signal });
  await undo();
  assert.deepEqual([textOf(outcome), outcome.error, outcome.additionalContexts], ["not that way", undefined, [note("why")]]);
});
