import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventData, type EventType, eventData, parseEvent, parsePayload } from "@gantry/contracts";
import type { z } from "zod";

const plays = 400;
const at = { turn: 1, step: 2 };
const id = "01900000-0000-7000-8000-000000000001" as never;
const failure = { message: "m", code: "TIMEOUT", status: 500, providerRetryAfterMs: 1.5, requestId: "r" };
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 0, reasoningTokens: 1 };
const user = { kind: "user" as const, userId: "u", name: "Ada", timeZone: "Europe/Berlin" };
const said = {
  id: "m1",
  role: "user" as const,
  content: [{ type: "text" as const, text: "hi", file: { attachmentId: "a", name: "n" } }],
  source: user,
};
const noted = {
  ...said,
  source: { kind: "plugin" as const, plugin: "p", form: "notice" as const, summary: "s", ref: "r", data: { a: [null, { b: -1.5 }] } },
};
const picture = { type: "image" as const, attachmentId: id, mediaType: "image/png" as const, width: 3, height: 2, name: "p.png" };
const answer = {
  id: "m2",
  role: "assistant" as const,
  content: [
    { type: "reasoning" as const, text: "r" },
    { type: "tool-call" as const, id: "c", name: "read", arguments: "{}" },
  ],
  source: { kind: "model" as const, provider: "p", model: "m", replayState: { x: 1 } },
};
const result = {
  id: "m3",
  role: "user" as const,
  content: [{ type: "tool-result" as const, toolCallId: "c", content: [{ type: "text" as const, text: "t" }, picture], isError: false }],
  source: { kind: "tool" as const, callId: "c" },
};
const compaction = { compactionId: "k", sourceCommandId: "s", turn: null };
const shadowed = { shadowedRange: { start: 0, end: 4 }, shadowedSeqs: [0, 4], shadowedTokenCount: 9 };

/** One of each type, with all that it may have, as its writer makes it. */
const samples: { [T in EventType]: EventData<T> } = {
  "turn/start": { turn: 1 },
  "turn/end": { turn: 1, reason: { kind: "error", error: failure } },
  "step/start": at,
  "step/end": at,
  "user/message": noted,
  "assistant/chunk": {
    ...at,
    messageId: "m",
    runs: [{ index: 0, block: "text", offset: 0, text: "t", callId: "c", name: "n" }],
    pruned: { runs: 1, chars: 2 },
  },
  "assistant/message": { ...at, message: answer, usage, interrupted: true, cutOff: true },
  "tool/call": { ...at, callId: "c", name: "read", arguments: "{}" },
  "tool/result": {
    ...at,
    message: result,
    error: { name: "E", code: "C" },
    meta: { lines: [{ number: 1, text: "a" }] },
    concludesTurn: true,
  },
  "request/header": {
    header: {
      config: { provider: "p", model: "m", maxTokens: 5, reasoningEffort: "low" },
      adapterDefaults: ["maxTokens"],
      system: "s",
      tools: [{ name: "read", description: "d", parameters: { type: "object", properties: {} } }],
    },
    reason: "initial",
  },
  "request/context": { provider: "p", model: "m", contextWindow: 1 },
  "agent/inbox/spliced": { target: "next-turn", start: 0, removedCount: 1, inserted: [said], outcome: "canceled" },
  "session/end-seed": {},
  "session/title": { title: "t", messageSeqs: [1], source: { kind: "provider", provider: "p", model: "m" } },
  "agent-preset/selected": { presetId: id, revision: 1, slug: "s", hash: "h" },
  "fs/observed": { target: "/a", state: "present", version: "v" },
  "todo/write": { todos: [{ content: "c", status: "pending" }] },
  "llm/retry": { ...at, retryId: "r", provider: "p", retry: 1, maxRetries: 2, delayMs: 0.5, failure },
  "llm/retry-started": { ...at, retryId: "r", retry: 1 },
  "permission/preset": { preset: "p" },
  "sandbox/mode": { mode: "read-only", source: "delegation" },
  "approval/policy": { policy: "ask", source: "delegation" },
  "approval/asked": { id: "a", toolName: "bash", callId: "c", reason: "r" },
  "approval/decided": { id: "a", outcome: "allowed-once", by: "u" },
  "question/asked": {
    id: "q",
    callId: "c",
    questions: [{ id: "q", header: "h", question: "?", detail: "d", options: [{ label: "l", description: "d" }], multiSelect: true }],
  },
  "question/answered": { id: "q", outcome: "answered", answers: [{ id: "q", selected: ["l"], custom: "c" }], by: "u" },
  "command/run": { commandId: "c", name: "compact", args: "a", userId: "u" },
  "command/done": { commandId: "c", kind: "success", text: "t", sourceEventSeq: 3 },
  "feedback/record": { text: "t" },
  "session/title-llm-request": {
    titleProvider: "t",
    messageSeqs: [1],
    route: { provider: "p", model: "m" },
    system: "s",
    messages: [said],
    maxTokens: 9,
  },
  "compaction/start": compaction,
  "compaction/end": { ...compaction, error: "e" },
  "compaction/summary": { ...compaction, ...shadowed, summary: "s", provider: "p", model: "m", maxTokens: 1, usage },
  "compaction/prune": shadowed,
};
const odd: unknown[] = [
  null,
  true,
  "",
  "x",
  0,
  -1,
  1.5,
  2 ** 60,
  {},
  [],
  { type: "text", text: "t" },
  [[]],
  "append",
  { kind: "tool", callId: "c" },
];

test("AG-175 a stored event that is as its type says is handed back as it is, whatever its type", () => {
  for (const [type, data] of Object.entries(samples)) {
    const event = { type, seq: 3, time: 1, data, surfaceOp: "append", sourceEventSeqs: [1, 2] };
    assert.equal(parseEvent(event), event, type);
  }
});

test("AG-175 whatever is stored instead becomes what the schema makes of it, and is refused where the schema refuses it", () => {
  for (let seed = 1; seed <= plays; seed += 1) {
    const pick = choices(seed);
    for (const [type, data] of Object.entries(samples)) {
      const value = changed(JSON.parse(JSON.stringify(data)), pick);
      const expected = (eventData[type as EventType] as z.ZodType).safeParse(value);
      const told = `seed ${seed}, ${type}: ${JSON.stringify(value)}`;
      if (expected.success) assert.equal(JSON.stringify(parsePayload(type as EventType, value)), JSON.stringify(expected.data), told);
      else assert.throws(() => parsePayload(type as EventType, value), told);
    }
  }
});

/** The value with one place changed: a member gone, one more, another order, another value. */
function changed(value: unknown, pick: (below: number) => number): unknown {
  if (typeof value !== "object" || value === null || pick(4) === 0) return pick(3) === 0 ? value : odd[pick(odd.length)];
  if (Array.isArray(value)) {
    const place = pick(value.length + 1);
    if (place === value.length) return [...value, value[0] ?? odd[pick(odd.length)]];
    return value.with(place, changed(value[place], pick));
  }
  const entries = Object.entries(value);
  const place = pick(entries.length + 1);
  const [key = "", part] = entries[place] ?? [];
  if (place === entries.length) return Object.fromEntries([...entries, [pick(2) === 0 ? "extra" : "__proto__x", 1]]);
  if (pick(3) === 0) return Object.fromEntries(entries.filter((_, index) => index !== place));
  if (pick(3) === 0) return Object.fromEntries(entries.toReversed());
  return Object.fromEntries(entries.with(place, [key, changed(part, pick)]));
}

/** A number below the given one, each time; the same for the same seed. */
function choices(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
