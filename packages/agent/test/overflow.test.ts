import assert from "node:assert/strict";
import { test } from "node:test";
import type { LlmRequest } from "@gantry/llm";
import { says } from "./support/adapter.ts";
import { dataOf, textOf } from "./support/agent.ts";
import { compactingAgent, fail, history, toolHistory } from "./support/compaction.ts";

const overflow = fail("CONTEXT_WINDOW_EXCEEDED");
const contextWindow = 1_000_000; // no pressure: only the provider says that it is too long
const sequence =
  (...replies: ReturnType<typeof says>[]) =>
  (_request: unknown, index: number) =>
    replies[Math.min(index, replies.length - 1)] ?? [];

test("CMP-3 a request that was too long is sent again in the same step after a summary, whatever the estimate", async (t) => {
  const { agent, say, summaries, answers, seen, brackets, ends } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    answer: sequence(overflow, says("ok")),
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([summaries.length, brackets(), ends().at(-1), answers.length], [1, ["ok"], "completed", 2]);
  assert.equal(dataOf(agent, "step/start").filter(({ turn }) => turn === 2).length, 1);
  assert.ok(!seen(answers[1]).includes("question 0") && seen(answers[1]).includes("go on"), "what the step began with stays");
  assert.equal(dataOf(agent, "llm/retry").length, 0);
});

test("AG-116 when the cut results made room and the summary fails, one more attempt is still made", async (t) => {
  const { agent, say, summaries, answers, ends, brackets } = await compactingAgent(t, {
    events: toolHistory(["r".repeat(50_000), "short"], contextWindow),
    contextWindow,
    answer: sequence(overflow, says("ok")),
    summary: () => fail("SERVER"),
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([summaries.length, answers.length, brackets(), ends().at(-1)], [1, 2, ["summary"], "completed"]);
  assert.equal(dataOf(agent, "compaction/prune").length, 1);
});

test("AG-120 a single huge message cannot be shortened: the original error stands", async (t) => {
  const { agent, say, summaries, answers } = await compactingAgent(t, { contextWindow, answer: () => overflow });
  say("x".repeat(100_000));
  await agent.whenIdle();
  const [end] = dataOf(agent, "turn/end");
  assert.equal(end?.reason.kind === "error" && end.reason.error.code, "CONTEXT_WINDOW_EXCEEDED");
  assert.deepEqual([summaries.length, answers.length, dataOf(agent, "compaction/start").length], [0, 1, 0]);
});

test("CP-52 a message that is longer than the model can read does not end the session for good: the next turn sums it up without its middle", async (t) => {
  const longest = 20_000;
  const lengthOf = ({ messages }: LlmRequest) => messages.map(textOf).join("").length;
  const within = (request: LlmRequest, text: string) => (lengthOf(request) > longest ? fail("CONTEXT_WINDOW_EXCEEDED") : says(text));
  const { agent, say, summaries, answers, ends, seen } = await compactingAgent(t, {
    summary: (request) => within(request, "they sent much"),
    answer: (request) => within(request, "fine"),
  });
  say(`begin ${"m".repeat(200_000)} end`);
  await agent.whenIdle();
  assert.deepEqual(ends(), ["error"], "as AG-120 has it");
  say("only this, then");
  await agent.whenIdle();
  assert.deepEqual([ends(), summaries.length], [["error", "completed"], 2]);
  assert.match(seen(summaries[1]), /begin m+\n\n\[\.\.\. left out of this request \.\.\.\]\n\nm+ end/);
  assert.match(seen(answers.at(-1)), /they sent much[\s\S]*only this, then/);
});

test("CMP-3 repairs in a row are limited, and an answer begins a new count", async (t) => {
  const { agent, say, answers, ends } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    answer: () => overflow,
    summary: (_request, index) => says("s".repeat(3_000 - 500 * index)), // each could be summed up again
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([answers.length, ends().at(-1)], [2, "error"]);
  const again = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    answer: sequence(overflow, says("a".repeat(4_000)), overflow, says("ok")),
  });
  for (const text of ["one", "two"]) again.say(`${text} ${"q".repeat(4_000)}`);
  await again.agent.whenIdle();
  assert.deepEqual([again.answers.length, again.ends().slice(1)], [4, ["completed", "completed"]]);
});

test("AG-226 transient retries and repairs of long requests are counted apart", async (t) => {
  const server = fail("SERVER");
  const { agent, say, answers, ends } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    answer: sequence(server, server, overflow, server, server, server, says("ok")),
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "llm/retry").map(({ retry }) => retry),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual([answers.length, ends().at(-1)], [7, "completed"]);
});

test("CMP-3 a stop during the repair beats the new attempt", async (t) => {
  const { agent, say, answers, ends, brackets } = await compactingAgent(t, {
    events: history({ contextWindow }),
    contextWindow,
    answer: () => overflow,
    async *summary() {
      agent.cancel("user");
      yield* says("short");
    },
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([answers.length, ends().at(-1), brackets()], [1, "aborted", ["cancelled"]]);
});

test("CMP-3 another listener gets its turn when the history could not be shortened; other failures are none of its business", async (t) => {
  const { agent, say, summaries, ends } = await compactingAgent(t, {
    contextWindow,
    answer: sequence(overflow, fail("AUTH")),
  });
  const heard: string[] = [];
  agent.ctx.on("agent/request-error", ({ failure }, next) => {
    heard.push(failure.code);
    return heard.length === 1 ? Promise.resolve({ kind: "retry" }) : next();
  });
  say("first");
  await agent.whenIdle();
  assert.deepEqual([heard, summaries.length, ends()], [["CONTEXT_WINDOW_EXCEEDED", "AUTH"], 0, ["error"]]);
});
