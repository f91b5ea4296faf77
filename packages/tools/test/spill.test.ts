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

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
await root.mount(spillPolicy, { maxInlineTokens: 100 });
for (const name of ["long", "read"]) ctx.tools.register(echoTool(name));
const agent = testAgent();
const text = `${"🙂".repeat(400)}end`;

test("without a store a long result stays whole", async () => {
  assert.equal(textOf(await call(ctx, "long", { text }, { agent })), text);
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
