import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { PostToolDecision, ToolOutcome } from "../src/index.ts";
import { call, echoTool, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const mib = 1024 * 1024;
const flood = "x".repeat(8 * mib);

test("T-26 arguments of exactly 1 MiB pass; one byte more is refused before policy, and the model is told what to do", async () => {
  const undo = ctx.tools.register(echoTool("take", ({ text }) => `${text?.length}`));
  let policy = 0;
  const undoPolicy = ctx.on("tools/pre-execute", (_execution, next) => {
    policy++;
    return next();
  });
  const frame = JSON.stringify({ text: "" }).length;
  const fits = await call(ctx, "take", { text: "x".repeat(mib - frame) });
  assert.deepEqual([textOf(fits), policy], [`${mib - frame}`, 1]);
  const prepared = await prepare(ctx, "take", { text: "x".repeat(mib - frame + 1) });
  const refused = await (await prepared.run()).commit();
  assert.deepEqual([prepared.admitted, refused.error, policy], [false, { name: "ToolSizeError", code: "ARGUMENTS_TOO_LARGE" }, 1]);
  assert.match(textOf(refused), /1048577 bytes.*limit is 1048576.*in parts/s);
  const wide = await call(ctx, "take", { text: "ä".repeat(mib / 2) });
  assert.equal(wide.error?.code, "ARGUMENTS_TOO_LARGE", "bytes count, not characters");
  await Promise.all([undo(), undoPolicy()]);
});

test("T-26 a result of exactly 8 MiB passes; one byte more becomes an error that says what to do", async () => {
  const undo = ctx.tools.register(echoTool("flood", ({ text }) => flood + (text ?? "")));
  const fits = await call(ctx, "flood", {});
  assert.deepEqual([fits.isError, textOf(fits).length], [false, 8 * mib]);
  const refused = await call(ctx, "flood", { text: "!" });
  assert.deepEqual(refused.error, { name: "ToolSizeError", code: "RESULT_TOO_LARGE" });
  assert.match(textOf(refused), /8388609 bytes.*Ask for less/s);
  await undo();
});

test("T-26 nothing gets past the cap afterwards: post policy, its notices, the tool's last word, an error text, the card's data", async () => {
  const grown: Record<string, () => Promise<ToolOutcome>> = {
    content: () => withPost({ kind: "accept", content: [{ type: "text", text: `${flood}!` }] }),
    feedback: () => withPost({ kind: "block", feedback: [{ type: "text", text: `${flood}!` }] }),
    notices: () =>
      withPost({
        kind: "accept",
        additionalContexts: [{ content: [{ type: "text", text: `${flood}!` }], source: { kind: "plugin", plugin: "test" } }],
      }),
    "last word": () => withTool({ finalizeContent: () => [{ type: "text", text: `${flood}!` }] }),
    error: () =>
      withTool({
        execute: () => Promise.reject(new Error(flood)),
      }),
    card: () => withTool({ output: { ...echoTool().output, presentationMeta: () => flood } }),
  };
  for (const [what, grow] of Object.entries(grown)) assert.equal((await grow()).error?.code, "RESULT_TOO_LARGE", what);
});

async function withTool(part: object): Promise<ToolOutcome> {
  const undo = ctx.tools.register({ ...echoTool("small", () => "small"), ...part });
  const outcome = await call(ctx, "small", {});
  await undo();
  return outcome;
}

async function withPost(decision: PostToolDecision): Promise<ToolOutcome> {
  const undo = ctx.on("tools/post-execute", () => Promise.resolve(decision));
  const outcome = await withTool({});
  await undo();
  return outcome;
}
