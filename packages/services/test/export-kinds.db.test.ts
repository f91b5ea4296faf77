import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventData, type EventDraft, type EventType, eventData, surfaceTypes } from "@gantry/contracts";
import { exportSession } from "../src/session/export/export-session.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();
const at = { turn: 1, step: 1 };
const text = (value: string) => [{ type: "text" as const, text: value }];
const message = (id: string, value: string) => ({
  id,
  role: "user" as const,
  content: text(value),
  source: { kind: "user" as const, name: "Ada" },
});
const route = { provider: "p", model: "m" };
const bracket = { compactionId: "k", turn: 1 };
const shadowed = { shadowedRange: { start: 0, end: 1 }, shadowedSeqs: [0, 1], shadowedTokenCount: 9 };
const failure = { code: "SERVER", message: "failure <text>" };
const question = { id: "q", header: "", question: "asked <text>", options: [{ label: "A" }] };

/** One of each kind; a new kind does not compile without its sample. */
const samples: { [T in EventType]: EventData<T> } = {
  "turn/start": { turn: 1 },
  "step/start": at,
  "user/message": message("u", "written <text>"),
  "request/header": { header: { config: route, system: "SYSTEM", tools: [] }, reason: "initial" },
  "request/context": { ...route, contextWindow: 9 },
  "assistant/chunk": { ...at, messageId: "a", runs: [{ index: 0, block: "text", offset: 0, text: "CHUNK" }] },
  "assistant/message": {
    ...at,
    message: { id: "a", role: "assistant", content: text("answered <text>"), source: { kind: "model", ...route } },
    interrupted: true,
  },
  "tool/call": { ...at, callId: "c", name: "bash", arguments: '{"command":"called <text>"}' },
  "tool/result": {
    ...at,
    message: {
      id: "r",
      role: "user",
      content: [{ type: "tool-result", toolCallId: "c", content: text("result <text>"), isError: true }],
      source: { kind: "tool", callId: "c" },
    },
    error: { name: "E", code: "C" },
    meta: { secret: "META" },
    concludesTurn: true,
  },
  "agent/inbox/spliced": { target: "next-turn", start: 0, inserted: [message("i", "QUEUED")] },
  "session/title": { title: "t", messageSeqs: [], source: { kind: "user" } },
  "agent-preset/selected": { presetId: "00000000-0000-4000-8000-000000000001" as never, revision: 1, slug: "s", hash: "h" },
  "fs/observed": { target: "/f", state: "present", version: "1" },
  "todo/write": { todos: [{ content: "x", status: "pending" }] },
  "llm/retry": { ...at, retryId: "y", provider: "p", retry: 1, delayMs: 1, failure },
  "llm/retry-started": { ...at, retryId: "y", retry: 1 },
  "permission/preset": { preset: "read-only" },
  "sandbox/mode": { mode: "read-only" },
  "approval/policy": { policy: "never", source: "delegation" },
  "approval/asked": { id: "x", toolName: "bash", callId: "c", reason: "r" },
  "approval/decided": { id: "x", outcome: "rejected", by: "ada" },
  "question/asked": { id: "z", callId: "c", questions: [question] },
  "question/answered": { id: "z", outcome: "answered", answers: [{ id: "q", selected: ["A"], custom: "own" }] },
  "command/run": { commandId: "d", name: "compact", args: "args <text>" },
  "command/done": { commandId: "d", kind: "error", text: "done <text>" },
  "feedback/record": { text: "FEEDBACK" },
  "session/title-llm-request": {
    titleProvider: "t",
    messageSeqs: [0],
    route,
    system: "s",
    messages: [message("t", "TITLE")],
    maxTokens: 9,
  },
  "compaction/start": bracket,
  "compaction/summary": { ...bracket, ...shadowed, ...route, summary: "summary <text>" },
  "compaction/end": { ...bracket, error: "summary: no" },
  "compaction/prune": shadowed,
  "step/end": at,
  "session/end-seed": {},
  "turn/end": { turn: 1, reason: { kind: "error", error: failure } },
};
const isSurface = (type: string) => (surfaceTypes as readonly string[]).includes(type);
const drafts = Object.entries(samples).map(
  ([type, data]) => ({ type, data, ...(isSurface(type) ? { surfaceOp: "append" } : {}) }) as unknown as EventDraft,
);

test("EXP-1 a log with an event of every kind comes out whole, and as a transcript with what people read and nothing of what is for the model", async () => {
  assert.deepEqual(Object.keys(samples).sort(), Object.keys(eventData).sort());
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant);
  const log = await writeLog(tenant, drafts);
  const read = async (format: "jsonl" | "markdown" | "html") => {
    let all = "";
    for await (const piece of (await exportSession(ctx, { org: tenant.slug, session: tenant.sessionId, format })).chunks) all += piece;
    return all;
  };
  const lines = (await read("jsonl"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(1), log);
  const [page, markdown] = [await read("html"), await read("markdown")];
  for (const word of ["written", "answered", "called", "result", "summary", "args", "done"]) {
    assert.ok(page.includes(`${word} &#60;text&#62;`), `${word} in the page`);
    assert.match(markdown, new RegExp(`${word} (<|&#60;)text`), `${word} in Markdown`);
  }
  for (const word of ["CHUNK", "SYSTEM", "META", "QUEUED", "FEEDBACK", "TITLE"])
    assert.ok(!page.includes(word) && !markdown.includes(word), `${word} is for no reader`);
  assert.match(page, /The turn ended: error\./);
});
