import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { textsOf } from "@gantry/contracts";
import { repeatToolReminder } from "../src/index.ts";
import { type TestAgent, testAgent } from "./support/agent.ts";
import { call, echoTool } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const handle = await root.mount(repeatToolReminder, { thresholds: [3, 5, 8], argumentsPreviewChars: 20, exclude: ["note.*"] });
ctx.tools.register(echoTool("look"));
ctx.tools.register(echoTool("other"));
ctx.tools.register(echoTool("notes"));

let agent: TestAgent;
beforeEach(() => {
  agent = testAgent();
});

/** The notices of so many equal calls, by the number of the call. */
async function notices(name: string, args: unknown, times: number): Promise<Record<number, string>> {
  const heard: Record<number, string> = {};
  for (let at = 1; at <= times; at++) {
    const [context] = (await call(ctx, name, args, { agent })).additionalContexts;
    if (context) heard[at] = textsOf(context.content).join("");
  }
  return heard;
}

test("EX-304 the third equal call is told gently, the fifth and the eighth in detail, the others not at all", async () => {
  const heard = await notices("look", { text: "x" }, 9);
  assert.deepEqual(Object.keys(heard), ["3", "5", "8"]);
  assert.ok(!heard[3]?.includes("{") && heard[5]?.includes('{"text":"x"}') && heard[8]?.includes("8 times"));
});

test("AG-222 the order of keys does not matter, a long argument is shown in part and compared whole", async () => {
  const long = "y".repeat(60);
  for (const args of [`{"text":"${long}","a":1}`, `{"a":1,"text":"${long}"}`]) await call(ctx, "look", args, { agent });
  const [third] = (await call(ctx, "look", { a: 1, text: long }, { agent })).additionalContexts;
  assert.equal(third?.source.kind === "plugin" && third.source.summary, "look × 3");
  await call(ctx, "look", { a: 1, text: `${long}z` }, { agent });
  const heard = await notices("look", { text: long }, 5);
  assert.match(heard[5] ?? "", /… \(\+\d+ more chars\)/);
});

test("EX-304 another tracked call and a person's message start anew, an excluded tool does not; each agent counts for itself", async () => {
  await notices("look", {}, 2);
  await call(ctx, "other", {}, { agent });
  assert.deepEqual(await notices("look", {}, 2), {});
  const message = { id: "m", role: "user", content: [{ type: "text", text: "go on" }], source: { kind: "user" } } as const;
  agent.append({ type: "user/message", surfaceOp: "append", data: { ...message, content: [...message.content] } });
  assert.deepEqual(await notices("look", {}, 2), {});
  const first = agent;
  agent = testAgent();
  assert.deepEqual(await notices("look", {}, 2), {});
  agent = first;
  assert.deepEqual(Object.keys(await notices("look", {}, 1)), ["1"], "the third of this agent");
});

test("AG-222 a dot in a pattern is a dot: `note.*` leaves out note.a and not notes", async () => {
  assert.deepEqual(Object.keys(await notices("notes", {}, 3)), ["3"]);
});

test("AG-222 denied calls count; a block's feedback and the reminder both arrive", async () => {
  const undo = ctx.on("tools/post-execute", async () => ({ kind: "block", feedback: [{ type: "text", text: "not like this" }] }));
  for (let at = 0; at < 2; at++) await call(ctx, "look", {}, { agent });
  const third = await call(ctx, "look", {}, { agent });
  assert.deepEqual([textsOf(third.content)[0], third.additionalContexts.length], ["not like this", 1]);
  await undo();
});

test("a wrong config is refused with the field", async () => {
  for (const config of [{ thresholds: [] }, { thresholds: [3, 3] }, { thresholds: [1] }, { argumentsPreviewChars: 0 }, { unknown: 1 }]) {
    assert.ok(!repeatToolReminder.Config.safeParse(config).success, JSON.stringify(config));
  }
  await handle.dispose();
  assert.deepEqual(await notices("look", { text: "after" }, 3), {});
});
