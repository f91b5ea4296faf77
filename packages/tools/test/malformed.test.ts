import assert from "node:assert/strict";
import { after, test } from "node:test";
import { toLosslessJson } from "@gantry/contracts";
import type { Executed, PostToolDecision, PreToolDecision, ToolOutcome } from "../src/index.ts";
import { call, echoTool, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
let bodies = 0;
ctx.tools.register(
  echoTool("act", ({ text }) => {
    bodies++;
    return text ?? "done";
  }),
);

/** What an untyped plugin could answer. */
const untyped = <T>(value: unknown): T => value as T;
const source = { kind: "plugin", plugin: "test" };

/** The call failed, and the log can take what came of it. */
function assertFailed(outcome: ToolOutcome, what: string): void {
  assert.equal(outcome.isError, true, what);
  const { content, error, meta, additionalContexts } = outcome;
  assert.doesNotThrow(() => toLosslessJson({ content, error: error ?? null, meta: meta ?? null, additionalContexts }), what);
  if (error) assert.deepEqual([typeof error.name, typeof error.code], ["string", "string"], what);
}

const badNotices: Record<string, unknown> = {
  "no list": {},
  "no notice": [null],
  "without content": [{ source }],
  "with text that is none": [{ content: [{ type: "text", text: 7 }], source }],
  "without a source": [{ content: [{ type: "text", text: "x" }] }],
  "with a source that nobody knows": [{ content: [{ type: "text", text: "x" }], source: { kind: "who" } }],
};

test("TLS-13 a pre-execute decision with a malformed part never allows, and the log can take the result", async () => {
  const before = bodies;
  const bad: Record<string, unknown> = {
    nothing: undefined,
    "a denial without a reason": { kind: "deny" },
    "a denial whose info is empty": { kind: "deny", reason: "no", info: {} },
    "a denial whose info is no text": { kind: "deny", reason: "no", info: { name: 1, code: null } },
    "a question whose reason is no text": { kind: "ask", reason: { en: "why" } },
    "a question whose shown reason has no English": { kind: "ask", displayReason: { de: "warum" } },
  };
  for (const [what, decision] of Object.entries(bad)) {
    const undo = ctx.on("tools/pre-execute", () => Promise.resolve(untyped<PreToolDecision>(decision)));
    assertFailed(await call(ctx, "act", {}), what);
    await undo();
  }
  assert.equal(bodies, before);
});

test("TLS-13 what an execute wrapper answers wrongly fails the call and nothing else", async () => {
  const bad: Record<string, unknown> = {
    nothing: undefined,
    "a failure without a message": { kind: "failure" },
    "a failure with half an identity": { kind: "failure", message: "x", info: { name: "N" } },
    ...Object.fromEntries(
      Object.entries(badNotices).map(([what, additionalContexts]) => [
        `notices: ${what}`,
        { kind: "value", value: "v", additionalContexts },
      ]),
    ),
  };
  for (const [what, executed] of Object.entries(bad)) {
    const undo = ctx.on("tools/execute", () => Promise.resolve(untyped<Executed>(executed)));
    assertFailed(await call(ctx, "act", {}), what);
    await undo();
  }
});

test("TLS-13 what a post-execute listener answers wrongly fails the call and nothing else", async () => {
  const text = { type: "text", text: "x" };
  const bad: Record<string, unknown> = {
    nothing: undefined,
    "a block without feedback": { kind: "block" },
    "content that is no list": { kind: "accept", content: "x" },
    "content with an unknown block": { kind: "accept", content: [{ type: "video" }] },
    "content with a part that is no JSON": { kind: "accept", content: [{ ...text, extra: undefined }] },
    "content with a function": { kind: "accept", content: [{ ...text, extra: () => 1 }] },
    ...Object.fromEntries(
      Object.entries(badNotices).flatMap(([what, additionalContexts]) => [
        [`accepted, notices: ${what}`, { kind: "accept", additionalContexts }],
        [`blocked, notices: ${what}`, { kind: "block", feedback: [text], additionalContexts }],
      ]),
    ),
  };
  for (const [what, decision] of Object.entries(bad)) {
    const undo = ctx.on("tools/post-execute", () => Promise.resolve(untyped<PostToolDecision>(decision)));
    assertFailed(await call(ctx, "act", {}), what);
    await undo();
  }
});

test("TLS-13 what a tool leaves, renders or finalises wrongly fails the call and nothing else", async () => {
  for (const [what, notices] of Object.entries(badNotices)) {
    const list = Array.isArray(notices) ? notices : [notices];
    const undo = ctx.tools.register(
      echoTool("leaver", (_args, run) => {
        for (const notice of list) run.defer(untyped(notice));
        return "x";
      }),
    );
    assertFailed(await call(ctx, "leaver", {}), `deferred: ${what}`);
    await undo();
  }
  const { output } = echoTool();
  const parts: Record<string, object> = {
    "renders an unknown block": { output: { ...output, render: () => [{ type: "video" }] } },
    "renders no list": { output: { ...output, render: () => "text" } },
    "renders what is no JSON": { output: { ...output, render: () => [{ type: "text", text: "x", extra: undefined }] } },
    "finalises into nothing": { finalizeContent: () => undefined },
    "finalises into what is no JSON": { finalizeContent: () => [{ type: "text", text: "x", extra: () => 1 }] },
  };
  for (const [what, part] of Object.entries(parts)) {
    const undo = ctx.tools.register(untyped({ ...echoTool("odd"), ...part }));
    assertFailed(await call(ctx, "odd", {}), what);
    await undo();
  }
});

test("a body whose tool unloads while it runs keeps its result, checked and shown as the tool that ran says", async () => {
  const gate = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const undo = ctx.tools.register(
    echoTool("going", () => {
      started.resolve();
      return gate.promise;
    }),
  );
  const running = (await prepare(ctx, "going", {})).run();
  await started.promise;
  await undo();
  const other = ctx.tools.register({ ...echoTool("going"), output: { schema: { type: "number" }, render: () => [] } });
  gate.resolve("it has happened");
  const outcome = await (await running).commit();
  assert.deepEqual([outcome.isError, textOf(outcome)], [false, "it has happened"]);
  await other();
});

test("T-20 arguments with very many violations are refused by name, for the classifier too", async () => {
  const list = { type: "array", items: { type: "string" } } as const;
  const undo = ctx.tools.register({
    ...echoTool("many"),
    parameters: { type: "object", properties: { list } },
    isConcurrencySafe: () => true,
  });
  const raw = JSON.stringify({ list: Array.from({ length: 300_000 }, () => 0) });
  assert.equal(ctx.tools.executionMode({ callId: "c", name: "many", arguments: raw }), "exclusive");
  assert.equal((await call(ctx, "many", raw)).error?.code, "INVALID_ARGS");
  await undo();
});

test("D.11 a budget that no timer can keep is refused when the tool registers, and is never part of its schema", async () => {
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648]) {
    assert.throws(() => ctx.tools.register({ ...echoTool("budget"), timeoutMs }), TypeError, `${timeoutMs}`);
  }
  const undo = ctx.tools.register({ ...echoTool("budget"), timeoutMs: 2_147_483_647 });
  assert.doesNotMatch(JSON.stringify(ctx.tools.schemas()), /timeout|2147483647/i);
  await undo();
});

test("TLS-2 a schema whose keywords have the wrong shape is refused, for what is told would not be what is checked", () => {
  const bad: Record<string, object> = {
    "properties that are no object": { type: "object", properties: [] },
    "a property that is no schema": { type: "object", properties: { a: "string" } },
    "required that is no list": { type: "object", required: "a" },
    "required that are no names": { type: "object", required: [1] },
    "an enum that is no list": { type: "object", properties: { a: { enum: "x" } } },
    "an enum of nothing": { type: "object", properties: { a: { enum: [] } } },
    "additionalProperties that are neither": { type: "object", additionalProperties: "no" },
    "one branch": { type: "object", properties: { a: { oneOf: [{ type: "string" }] } } },
    "a keyword from outside, deep inside": { type: "object", properties: { a: { type: "array", items: { minLength: 1 } } } },
    "a type of several": { type: "object", properties: { a: { type: ["string", "null"] } } },
  };
  for (const [what, parameters] of Object.entries(bad)) {
    assert.throws(() => ctx.tools.register({ ...echoTool("shape"), parameters: untyped(parameters) }), TypeError, what);
  }
  assert.throws(() => ctx.tools.register(untyped({ ...echoTool("shape"), output: undefined })), TypeError, "no output");
});
