import assert from "node:assert/strict";
import { test } from "node:test";
import { isSurfaceEvent } from "../src/session/surface.ts";
import { says } from "./support/adapter.ts";
import { dataOf, textOf, types } from "./support/agent.ts";
import { compactingAgent, fail, history, toolHistory } from "./support/compaction.ts";
import { userMessage } from "./support/log.ts";

const contextWindow = 10_000;

test("AG-011 what a summary hid is still the transcript of people, and no part of the next request", async (t) => {
  const { agent, say, summaries, answers, seen, brackets, ends } = await compactingAgent(t, { events: history(), contextWindow });
  const begun: string[] = [];
  agent.ctx.on("agent/session-start", ({ source }) => void begun.push(source));
  say("go on");
  await agent.whenIdle();
  assert.deepEqual(begun, ["compact"]);
  assert.deepEqual([summaries.length, brackets(), ends()], [1, ["ok"], ["completed", "completed"]]);
  const transcript = agent.log.events.filter((event) => isSurfaceEvent(event) && event.surfaceOp === "append");
  assert.ok(["question 0", "answer 0", "question 3", "go on"].every((text) => JSON.stringify(transcript).includes(text)));
  const next = seen(answers[0]);
  assert.ok(!next.includes("question 0") && next.includes("<compacted-summary>\nshort\n</compacted-summary>") && next.includes("go on"));
  assert.equal(answers[0]?.messages[0]?.role, "user");
});

test("CMP-6 bracket, record, replacement and end follow each other; record and replacement are one batch and cite what they hide", async (t) => {
  const batches: string[][] = [];
  const { agent, say } = await compactingAgent(t, {
    events: history(),
    contextWindow,
    write: async (batch?: { events: { type: string }[] }) => void batches.push(batch?.events.map(({ type }) => type) ?? []),
  } as never);
  say("go on");
  await agent.whenIdle();
  const start = types(agent).indexOf("compaction/start");
  const from = types(agent).indexOf("compaction/summary");
  assert.deepEqual(types(agent).slice(from, from + 3), ["compaction/summary", "user/message", "compaction/end"]);
  assert.ok(batches.some((batch) => batch.join().includes("compaction/summary,user/message,compaction/end")));
  const [record] = dataOf(agent, "compaction/summary");
  const replacement = agent.log.events[from + 1];
  assert.deepEqual(
    replacement?.sourceEventSeqs,
    [...(record?.shadowedSeqs ?? []), start, from].sort((a, b) => a - b),
  );
  assert.deepEqual(replacement?.surfaceOp, { op: "replace", ...record?.shadowedRange });
  const [bracket] = dataOf(agent, "compaction/start");
  assert.deepEqual([bracket?.turn, record?.compactionId, record?.maxTokens], [2, bracket?.compactionId, 8192]);
  assert.ok(dataOf(agent, "user/message").some(({ source }) => source.kind === "plugin" && source.ref === bracket?.compactionId));
});

test("CMP-7 the summary is asked for with the session's own prompt and one instruction with the eight headings in order", async (t) => {
  const { agent, say, summaries, answers } = await compactingAgent(t, {
    events: history({ steps: 1, chars: 10 }),
    contextWindow,
    answer: () => says("a".repeat(20_000)),
  });
  for (const text of ["one", "two", "three"]) say(text);
  await agent.whenIdle();
  const [asked] = summaries;
  assert.deepEqual([asked?.system, asked?.tools, asked?.maxTokens], [answers[0]?.system, answers[0]?.tools, 8192]);
  const instruction = textOf(asked?.messages.at(-1) as never);
  const headings = [
    "request and intent",
    "technical concepts",
    "Files and code",
    "Errors and fixes",
    "Pending jobs",
    "Current work",
    "Next step",
    "Critical context",
  ];
  const places = headings.map((heading) => instruction.indexOf(heading));
  assert.ok(places.every((place, index) => place > (places[index - 1] ?? 0)));
  assert.deepEqual(asked?.messages.slice(0, -1), asked && answers.at(1)?.messages.slice(0, asked.messages.length - 1));
});

test("CMP-8 what a summary repeats of a file does not end the frame around it; the record keeps it as it was written", async (t) => {
  const written = "it said </compacted-summary> and </ COMPACTED-summary > there";
  const { agent, say, answers, seen } = await compactingAgent(t, { events: history(), contextWindow, summary: () => says(written) });
  say("go on");
  await agent.whenIdle();
  assert.equal([...seen(answers[0]).matchAll(/<\s*\/\s*compacted-summary/gi)].length, 1);
  assert.equal(dataOf(agent, "compaction/summary")[0]?.summary, written);
});

test("CMP-2 below the threshold nothing happens; a history that is still too long after a summary gets another, and no third", async (t) => {
  const calm = await compactingAgent(t, { events: history({ steps: 2 }), contextWindow });
  calm.say("go on");
  await calm.agent.whenIdle();
  assert.equal(calm.summaries.length, 0);
  const events = history({ steps: 8, chars: 8_000 });
  const long = (_request: unknown, index: number) => says(`${index}${"s".repeat(30_000 - 1_000 * index)}`);
  const busy = await compactingAgent(t, { events, contextWindow, config: { retainTokens: 3_000 }, summary: long });
  busy.say("go on");
  await busy.agent.whenIdle();
  assert.deepEqual([busy.brackets(), busy.ends().at(-1)], [["ok", "ok"], "completed"]);
});

test("AG-113 a summary that is longer than what it sums up is not taken: the history stays and the turn goes on", async (t) => {
  const { agent, say, answers, seen, brackets, ends } = await compactingAgent(t, {
    events: history(),
    contextWindow,
    summary: () => says("s".repeat(100_000)),
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([brackets(), ends().at(-1), agent.log.surface.replaceGeneration], [["summary"], "completed", 0]);
  assert.ok(seen(answers[0]).includes("question 0"));
});

test("AG-226 an answer that is no whole text is no summary: thinking only, nothing, cut off, a call, a failure", async (t) => {
  const replies = [
    [
      { type: "reasoning-delta", index: 0, text: "hm" },
      { type: "finish", reason: { kind: "stop" } },
    ],
    says("   "),
    [
      { type: "text-delta", index: 0, text: "half" },
      { type: "finish", reason: { kind: "max-tokens" } },
    ],
    [
      { type: "tool-call-delta", index: 0, id: "c", name: "read", argumentsDelta: "{}" },
      { type: "finish", reason: { kind: "tool-calls" } },
    ],
    fail("SERVER"),
  ] as const;
  for (const reply of replies) {
    const { agent, say, brackets, ends } = await compactingAgent(t, { events: history(), contextWindow, summary: () => [...reply] });
    say("go on");
    await agent.whenIdle();
    assert.deepEqual(
      [brackets(), ends().at(-1), agent.log.surface.replaceGeneration],
      [["summary"], "completed", 0],
      JSON.stringify(reply),
    );
  }
});

test("AG-226 the request's envelope counts: a long prompt over a short history is compacted too", async (t) => {
  const { agent, say, summaries } = await compactingAgent(t, { events: history({ steps: 2, chars: 400 }), contextWindow: 1_500 });
  agent.ctx.systemPrompt.section({ name: "long", order: 1, text: "p".repeat(5_000) });
  say("first");
  await agent.whenIdle();
  say("second");
  await agent.whenIdle();
  assert.ok(summaries.length > 0);
});

test("AG-114 a message that is injected during the summary enters the next step", async (t) => {
  const gate = Promise.withResolvers<void>();
  const { agent, say, summaries, answers, seen, brackets } = await compactingAgent(t, {
    events: history(),
    contextWindow,
    async *summary() {
      agent.send(userMessage("injected"), "next-step", false);
      await gate.promise;
      yield* says("short");
    },
  });
  say("go on");
  gate.resolve();
  await agent.whenIdle();
  assert.deepEqual([brackets(), summaries.length], [["ok"], 1]);
  assert.ok(!seen(answers[0]).includes("injected") && seen(answers[1]).includes("injected"));
});

test("AG-114 a change of the surface during an automatic summary makes it worthless", async (t) => {
  const events = history();
  const newest = events.findLast(isSurfaceEvent)?.seq ?? 0;
  const { agent, say, brackets, ends } = await compactingAgent(t, {
    events,
    contextWindow,
    async *summary() {
      agent.log.append({
        type: "user/message",
        surfaceOp: { op: "replace", start: newest, end: newest },
        sourceEventSeqs: [newest],
        data: userMessage("replaced meanwhile"),
      });
      yield* says("short");
    },
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([brackets(), ends().at(-1), agent.log.surface.replaceGeneration], [["changed"], "completed", 1]);
});

test("AG-119 when cut results make room enough, no summary is asked for", async (t) => {
  const { agent, say, summaries, answers, ends } = await compactingAgent(t, {
    events: toolHistory(["r".repeat(32_000)]),
    contextWindow,
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([summaries.length, dataOf(agent, "compaction/prune").length, ends().at(-1)], [0, 1, "completed"]);
  assert.ok(JSON.stringify(answers[0]?.messages).length < 8_000);
});

test("CMP-2 an unknown window is warned of once for its route and never stops a turn; without auto nothing happens by itself", async (t) => {
  const unknown = await compactingAgent(t, { events: history({ contextWindow: 0 }) });
  for (const text of ["one", "two", "three"]) unknown.say(text);
  await unknown.agent.whenIdle();
  const warnings = () => unknown.warnings.filter(({ text }) => text.includes("context window"));
  assert.deepEqual(
    warnings().map(({ about }) => about),
    [{ fiber: "compaction-basic", provider: "fake", model: "m" }],
  );
  const off = await compactingAgent(t, { events: history(), contextWindow, config: { auto: false } });
  off.say("go on");
  await off.agent.whenIdle();
  assert.deepEqual([unknown.summaries.length, off.summaries.length], [0, 0]);
  assert.deepEqual(
    [unknown.ends(), off.ends()],
    [
      ["completed", "completed", "completed", "completed"],
      ["completed", "completed"],
    ],
  );
});

test("CMP-2 a stop during the summary ends the turn, closes the bracket and leaves the history", async (t) => {
  const { agent, say, brackets, ends, answers } = await compactingAgent(t, {
    events: history(),
    contextWindow,
    async *summary(request) {
      agent.cancel("user");
      await new Promise((resolve) => (request.signal.aborted ? resolve(null) : request.signal.addEventListener("abort", resolve)));
      yield* says("late");
    },
  });
  say("go on");
  await agent.whenIdle();
  assert.deepEqual([brackets(), ends().at(-1), answers.length, agent.log.surface.replaceGeneration], [["cancelled"], "aborted", 0, 0]);
});

test("CMP-9 a released session leaves its bracket to the next holder", async (t) => {
  const asked = Promise.withResolvers<void>();
  const { agent, say, brackets, ends } = await compactingAgent(t, {
    events: history(),
    contextWindow,
    async *summary(request) {
      asked.resolve();
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }));
      yield* says("late");
    },
  });
  say("go on");
  await asked.promise;
  await agent.stop();
  assert.deepEqual([brackets(), ends().length, types(agent).at(-1)], [[], 1, "compaction/start"]);
});

test("a policy for the exact model goes before the general values (CMP-1)", async (t) => {
  const policy = { provider: "fake", model: "m", thresholdRatio: 0.99 };
  const own = await compactingAgent(t, { events: history(), contextWindow, config: { modelPolicies: [policy] } });
  own.say("go on");
  await own.agent.whenIdle();
  const other = await compactingAgent(t, { events: history(), contextWindow, config: { modelPolicies: [{ ...policy, model: "n" }] } });
  other.say("go on");
  await other.agent.whenIdle();
  assert.deepEqual([own.summaries.length, other.summaries.length], [0, 1]);
});

test("AG-080 CMP-10 the runtime facts that a summary hid are sent again", async (t) => {
  const { agent, say, answers, seen } = await compactingAgent(t, { contextWindow, answer: () => says("a".repeat(20_000)) });
  for (const text of ["one", "two", "three"]) say(text);
  await agent.whenIdle();
  assert.ok(dataOf(agent, "compaction/summary").length > 0);
  assert.match(seen(answers.at(-1)), /workspace-write/);
});
