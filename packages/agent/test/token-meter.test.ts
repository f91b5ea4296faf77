import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventDraft, estimateHeader, estimateMessage, type Message, type SessionEvent, type Usage } from "@gantry/contracts";
import { ContextFold, contextSize } from "../src/token-meter/context-fold.ts";
import { adapter } from "./support/adapter.ts";
import { testAgent } from "./support/agent.ts";
import { draft, logOf, testLog, userMessage } from "./support/log.ts";

const system = "s".repeat(400);
const header = (text = system, reason: "initial" | "resume" | "change" = "initial"): EventDraft => ({
  type: "request/header",
  data: { header: { config: { provider: "p", model: "m" }, system: text }, reason },
});
function answer(step: number, usage: Partial<Usage>, text = "x".repeat(40)): EventDraft {
  const base = draft.assistant(1, step, [], text) as Extract<EventDraft, { type: "assistant/message" }>;
  return { ...base, data: { ...base.data, usage: { inputTokens: 0, outputTokens: 0, ...usage } } };
}
const replace = (start: number, end: number, sources: number[], text: string): EventDraft => ({
  type: "user/message",
  surfaceOp: { op: "replace", start, end },
  sourceEventSeqs: sources,
  data: userMessage("replacement", text),
});
/** a question of 400 characters (108 tokens) under a system text of 400 (104), answered with 40 (18): 230 by rule of thumb */
const exchange = [draft.turnStart(1), draft.stepStart(1, 1), draft.user("q", "q".repeat(400)), header()];
const tokens = (events: readonly SessionEvent[]) => contextSize(events).estimatedTokens;

test("TOK-1 a quarter of the characters, and four for each block, each message and each part of the header", () => {
  assert.equal(estimateMessage(userMessage("a", "x".repeat(40))), 18);
  const content: Message["content"] = [
    { type: "reasoning", text: "x".repeat(8) },
    { type: "tool-call", id: "c", name: "bash", arguments: "x".repeat(8) },
  ];
  assert.equal(estimateMessage({ ...userMessage("a"), content }), 4 + 6 + 7);
  const result: Message["content"] = [
    { type: "tool-result", toolCallId: "c", isError: false, content: [{ type: "text", text: "x".repeat(8) }] },
  ];
  assert.equal(estimateMessage({ ...userMessage("a"), content: result }), 4 + 4 + 6);
  const tools = [{ name: "t", description: "", parameters: {} }];
  const config = { provider: "p", model: "m" };
  assert.equal(estimateHeader({ config, system: "x".repeat(40), tools }), Math.ceil(14 + JSON.stringify(tools).length / 4 + 4));
  assert.equal(estimateHeader({ config }), 0);
});

test("TOK-2 what came after a reported total is added to it; all fields of a report count once", () => {
  const events = logOf(...exchange, answer(1, { inputTokens: 100, cacheReadTokens: 700, cacheWriteTokens: 100, outputTokens: 100 }));
  assert.deepEqual(contextSize(events), { estimatedTokens: 1000, contextWindow: null });
  const more = logOf(
    ...exchange,
    answer(1, { inputTokens: 900, outputTokens: 100 }),
    draft.stepEnd(1, 1),
    draft.stepStart(1, 2),
    draft.user("b", "b".repeat(40)),
  );
  assert.equal(tokens(more), 1018);
});

test("TOK-2 a report below the rule of thumb for the same text is not believed, and an older one that is stays", () => {
  assert.equal(tokens(logOf(...exchange, answer(1, { inputTokens: 5, outputTokens: 5 }))), 230);
  const second = [draft.stepEnd(1, 1), draft.stepStart(1, 2), answer(2, { inputTokens: 9 })];
  assert.equal(tokens(logOf(...exchange, answer(1, { inputTokens: 1000 }), ...second)), 1018);
});

test("AG-078 another header drops the reported total; the same one logged again does not", () => {
  const before = [...exchange, answer(1, { inputTokens: 1000 })];
  assert.equal(tokens(logOf(...before, header(system, "resume"))), 1000);
  assert.equal(tokens(logOf(...before, header(`${system}${system}`, "change"))), 330);
});

test("TOK-2 a replacement of what a report covered makes it worthless, one after it changes the difference only", () => {
  const covered = [...exchange, answer(1, { inputTokens: 1000 })];
  assert.equal(tokens(logOf(...covered, replace(2, 2, [2], "short".repeat(8)))), 104 + 18 + 18);
  const after = [...covered, draft.stepEnd(1, 1), draft.stepStart(1, 2), draft.user("b", "b".repeat(400))];
  assert.equal(tokens(logOf(...after)), 1108);
  assert.equal(tokens(logOf(...after, replace(7, 7, [7], "b".repeat(40)))), 1018);
});

test("the meter's fold gives at each point what a fold of the whole gives, and takes every event once", () => {
  const drafts = [
    ...exchange,
    answer(1, { inputTokens: 1000 }),
    draft.stepEnd(1, 1),
    draft.stepStart(1, 2),
    draft.user("b", "bb"),
    replace(2, 4, [2, 4], "s"),
  ];
  const { log } = testLog();
  const fold = new ContextFold();
  let reads = 0;
  const counted = new Proxy(log.events, {
    get: (events, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(events, key);
    },
  });
  for (const item of drafts) {
    log.append(item);
    assert.deepEqual(fold.follow(counted), contextSize(log.events));
  }
  fold.follow(counted);
  assert.equal(reads, drafts.length);
});

test("the service measures a live agent, with the window of its route (PRJ-5)", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  agent.ctx.llm.register(
    adapter("fake", { contextWindow: 50_000 }, () => [
      { type: "text-delta", index: 0, text: "hi" },
      { type: "usage", usage: { inputTokens: 4000, outputTokens: 10 } },
      { type: "finish", reason: { kind: "stop" } },
    ]),
  );
  agent.ctx.on("agent/request", async (_input, next) => ({ ...(await next()), provider: "fake", model: "m" }));
  const meter = agent.ctx.get("tokenMeter");
  assert.deepEqual(meter?.measure(agent), { estimatedTokens: 0, contextWindow: null });
  say("hello");
  await agent.whenIdle();
  assert.deepEqual(meter?.measure(agent), { estimatedTokens: 4010, contextWindow: 50_000 });
});
