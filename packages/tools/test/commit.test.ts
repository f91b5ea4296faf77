import assert from "node:assert/strict";
import { after, test } from "node:test";
import { textsOf } from "@gantry/contracts";
import type { PostToolDecision, ToolOutcome } from "../src/index.ts";
import { call, echoTool, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const note = (text: string) => ({ content: [{ type: "text" as const, text }], source: { kind: "plugin" as const, plugin: "test" } });
ctx.tools.register(
  echoTool("closing", ({ text }, run) => {
    run.defer(note("from the tool"));
    run.concludeTurn();
    if (text === "fail") throw new Error("failed");
    return text ?? "fine";
  }),
);

async function withPost(decision: PostToolDecision, args: unknown = {}): Promise<ToolOutcome> {
  const undo = ctx.on("tools/post-execute", () => Promise.resolve(decision));
  const outcome = await call(ctx, "closing", args);
  await undo();
  return outcome;
}

test("AG-092 a block turns a success into an error with its feedback; value, conclusion and the tool's notices go", async () => {
  const blocked = await withPost({ kind: "block", feedback: [{ type: "text", text: "not that way" }], additionalContexts: [note("why")] });
  assert.deepEqual([blocked.isError, textOf(blocked), blocked.concludesTurn, "value" in blocked], [true, "not that way", false, false]);
  assert.deepEqual(blocked.additionalContexts, [note("why")]);
  const accepted = await withPost({ kind: "accept", additionalContexts: [note("added")] });
  assert.deepEqual([accepted.isError, accepted.concludesTurn, accepted.value], [false, true, "fine"]);
  assert.deepEqual(accepted.additionalContexts, [note("from the tool"), note("added")]);
});

test("KN-051 post-execute replaces content or value, never both, never the value of a failure; a vanished tool is an error", async () => {
  const content = [{ type: "text" as const, text: "shorter" }];
  assert.equal(textOf(await withPost({ kind: "accept", content })), "shorter");
  const replaced = await withPost({ kind: "accept", value: "other" });
  assert.deepEqual([textOf(replaced), replaced.value], ["other", "other"]);
  assert.equal((await withPost({ kind: "accept", value: 4 })).error?.code, "INVALID_TOOL_OUTPUT");
  assert.match(textOf(await withPost({ kind: "accept", content, value: "other" })), /replaced both/);
  assert.match(textOf(await withPost({ kind: "accept", value: "other" }, { text: "fail" })), /value of a failed call/);
  assert.equal((await withPost({ kind: "accept", content }, { text: "fail" })).isError, true);

  const undoTool = ctx.tools.register(echoTool("leaving"));
  const ran = await (await prepare(ctx, "leaving", { text: "x" })).run();
  await undoTool();
  const undo = ctx.on("tools/post-execute", () => Promise.resolve({ kind: "accept", value: "y" }));
  assert.equal((await ran.commit()).error?.code, "UNKNOWN_TOOL");
  await undo();
});

test("TLS-13 a throwing post-execute listener turns a success into an error", async () => {
  const undo = ctx.on("tools/post-execute", () => Promise.reject(new Error("post broke")));
  const outcome = await call(ctx, "closing", {});
  assert.deepEqual([outcome.isError, textOf(outcome), outcome.concludesTurn], [true, "Error: post broke", false]);
  await undo();
});

test("KN-056 observers of the result are contained and cannot change it", async () => {
  const seen: ToolOutcome[] = [];
  const undo = [
    ctx.on("tools/result", (_execution, outcome) => {
      (outcome.content[0] as { text: string }).text = "tampered"; // throws: frozen
    }),
    ctx.on("tools/result", (_execution, outcome) => void seen.push(outcome)),
  ];
  const outcome = await call(ctx, "closing", {});
  assert.equal(textOf(outcome), "fine");
  assert.equal(seen[0], outcome);
  assert.ok(Object.isFrozen(outcome) && Object.isFrozen(outcome.content) && Object.isFrozen(outcome.additionalContexts[0]));
  await Promise.all(undo.map((dispose) => dispose()));
});

test("finalizeContent runs exactly once for every outcome, also after the tool has gone", async () => {
  const finals: boolean[] = [];
  const register = () =>
    ctx.tools.register({
      ...echoTool("finalized", ({ text }) => {
        if (text === "fail") throw new Error("failed");
        return "ok";
      }),
      finalizeContent(content, { isError }) {
        finals.push(isError);
        return textsOf(content).map((text) => ({ type: "text", text: `${text}!` }));
      },
    });
  let undo = register();
  assert.equal(textOf(await call(ctx, "finalized", {})), "ok!");
  assert.equal(textOf(await call(ctx, "finalized", { text: "fail" })), "Error: failed!");
  assert.equal(textOf(await call(ctx, "finalized", { text: 4 })), "Error: text must be a string, got a number!");
  assert.equal((await call(ctx, "finalized", {}, { signal: AbortSignal.abort() })).error?.code, "ABORTED_BEFORE_DISPATCH");
  const undoGuard = ctx.tools.guard(() => "no");
  assert.equal(textOf(await call(ctx, "finalized", {})), "Error: no!");
  await undoGuard();
  const ran = await (await prepare(ctx, "finalized", {})).run();
  await undo();
  assert.equal(textOf(await ran.commit()), "ok!");
  undo = register();
  assert.deepEqual(finals, [false, true, true, true, true, false]);
  await undo();
});
