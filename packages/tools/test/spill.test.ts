import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ToolContentBlock } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { type SpillSeam, spillPolicy } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

type Saved = Parameters<SpillSeam["saveText"]>[0];
const saved: Saved[] = [];
let isBroken = false;
const store = {
  name: "store",
  apply(ctx: Context) {
    ctx.provide("spill", {
      async saveText(text: Saved) {
        if (isBroken) throw new Error("disk full");
        saved.push(text);
        return { locator: "/tmp/s/1", hint: "Read it there." };
      },
    });
  },
};

const warnings: string[] = [];
const quiet = () => {};
const logger = { debug: quiet, info: quiet, error: quiet, warn: (_fields: object, text?: string) => void warnings.push(text ?? "") };
const root = await openRoot({ logger });
after(() => root.close());
const { ctx } = root;
await root.mount(spillPolicy, { maxInlineTokens: 100 });
for (const name of ["long", "read"]) ctx.tools.register(echoTool(name));
const agent = testAgent();
const text = `${"🙂".repeat(400)}end`;

test("without a store a long result stays whole, and the log is told", async () => {
  assert.equal(textOf(await call(ctx, "long", { text }, { agent })), text);
  assert.match(warnings.at(-1) ?? "", /stays whole: nothing keeps long results/);
});

test("§19.2 a result of exactly the cap stays; with one character more it is stored", async () => {
  const handle = await root.mount(store);
  const told = async (chars: number) => textOf(await call(ctx, "long", { text: "x".repeat(chars) }, { agent }));
  assert.equal(await told(384), "x".repeat(384), "96 tokens of text and 4 of its block");
  assert.match(await told(385), /Omitted/);
  await handle.dispose();
});

test("§19.2 where only the place fits it is all that is told; where not even that fits the result stays whole with a warning", async () => {
  const place = (chars: number) => ({ ...store, apply: (own: Context) => void own.provide("spill", kept(chars)) });
  const kept = (chars: number): SpillSeam => ({ saveText: async () => ({ locator: "x".repeat(chars), hint: "h" }) });
  const room = (100 - 4) * 4;
  const around = `(Omitted ${Buffer.byteLength(text)} bytes. Full formatted result stored at: . h)`.length;
  for (const [spare, expected] of [
    [0, /^\(Omitted 1603 bytes\./],
    [1, /^\(Omitted 1603 bytes\./],
    [-1, /^🙂/],
  ] as const) {
    const handle = await root.mount(place(room - around - spare));
    const told = textOf(await call(ctx, "long", { text }, { agent }));
    assert.match(told, expected, `${spare} to spare`);
    assert.equal(told === text, spare < 0);
    await handle.dispose();
  }
  assert.match(warnings.at(-1) ?? "", /stays whole: where it was stored does not fit/);
});

test("D.11 without a cap nothing listens; a cap that is no count is refused", async () => {
  const other = await openRoot();
  await other.mount(store);
  await other.mount(spillPolicy, {});
  other.ctx.tools.register(echoTool("long"));
  assert.equal(textOf(await call(other.ctx, "long", { text: "x".repeat(900_000) }, { agent })).length, 900_000);
  for (const maxInlineTokens of [-1, 1.5, "12"]) await assert.rejects(other.mount(spillPolicy, { maxInlineTokens }), /maxInlineTokens/);
  await other.close();
});

test("a long result is stored whole; head, tail and its place remain within the cap, no character cut in half", async () => {
  const handle = await root.mount(store);
  const short = textOf(await call(ctx, "long", { text }, { agent }));
  assert.equal(saved.at(-1)?.content, text);
  assert.ok(
    short.startsWith("🙂") && short.includes("[...]") && short.includes("end\n\n(Omitted ") && short.includes("stored at: /tmp/s/1."),
  );
  assert.ok(short.isWellFormed() && Math.ceil(short.length / 4) + 4 <= 100);
  const omitted = Number(/Omitted (\d+) bytes/.exec(short)?.[1]);
  const [head = "", rest = ""] = short.split("\n\n[...]\n\n");
  const tail = rest.slice(0, rest.indexOf("\n\n(Omitted"));
  assert.equal(omitted, Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail));
  await handle.dispose();
});

test("what fits, a page of read, a block and a call without a session are left alone", async () => {
  const handle = await root.mount(store);
  const before = saved.length;
  assert.equal(textOf(await call(ctx, "long", { text: "x".repeat(380) }, { agent })).length, 380);
  assert.equal(textOf(await call(ctx, "read", { text }, { agent })), text);
  assert.equal(textOf(await call(ctx, "long", { text })), text);
  const undo = ctx.on("tools/post-execute", async () => ({ kind: "block", feedback: [{ type: "text", text }] }));
  assert.equal(textOf(await call(ctx, "long", { text }, { agent })), text);
  await undo();
  assert.equal(saved.length, before);
  await handle.dispose();
});

test("AG-222 notices of other listeners survive; a failed save leaves the result whole; errors are shortened too", async () => {
  const handle = await root.mount(store);
  const source = { kind: "plugin", plugin: "p" } as const;
  const undo = ctx.on("tools/post-execute", async (_execution, _settled, next) => ({
    ...(await next()),
    additionalContexts: [{ content: [{ type: "text", text: "note" }], source }],
  }));
  assert.equal((await call(ctx, "long", { text }, { agent })).additionalContexts.length, 1);
  isBroken = true;
  assert.equal(textOf(await call(ctx, "long", { text }, { agent })), text);
  isBroken = false;
  await undo();
  const failing = ctx.tools.register(echoTool("failing", () => Promise.reject(new Error(text))));
  const failed = await call(ctx, "failing", {}, { agent });
  assert.ok(failed.isError && textOf(failed).includes("stored at"));
  await failing();
  await handle.dispose();
});

test("§19.2 a long result with an image stays whole: no text could say where to look at it", async () => {
  const handle = await root.mount(store);
  const before = saved.length;
  const block = { type: "image", attachmentId: "0a1b2c3d-0000-8000-8000-000000000001", mediaType: "image/png", width: 9, height: 9 };
  const undo = ctx.on("tools/post-execute", async (_execution, settled) => ({
    kind: "accept",
    content: [...settled.content, ToolContentBlock.parse(block)],
  }));
  const { content } = await call(ctx, "long", { text }, { agent });
  assert.deepEqual(content, [{ type: "text", text }, block]);
  assert.equal(saved.length, before);
  await undo();
  await handle.dispose();
});
