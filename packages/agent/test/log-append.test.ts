import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventDraft, type Json, parseEvent, type SessionEvent } from "@gantry/contracts";
import { draft, type Events, logOf, testLog, userMessage } from "./support/log.ts";

const rejects = (run: () => unknown) => assert.throws(run, { code: "SESSION_REJECTED_EVENT" });

test("AG-001 what JSON would lose is refused and the log stays as it was", () => {
  const { log } = testLog();
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const title of [undefined, -0, Number.NaN, 1n, cycle, () => 1, new Date(0), new Array(2)]) {
    rejects(() => log.append({ type: "session/title", data: { title, messageSeqs: [], source: { kind: "user" } } as never }));
  }
  assert.equal(log.events.length, 0);
});

test("AG-001 an accessor, an extra key or a hole is refused wherever it stands, and no code of the caller runs", () => {
  const { log } = testLog();
  let reads = 0;
  const getter = (key: string) => Object.defineProperty({}, key, { enumerable: true, get: () => ++reads });
  const title = { title: "t", messageSeqs: [], source: { kind: "user" } };
  const odd = [
    Object.assign(getter("data"), { type: "session/title" }),
    { type: "turn/start", data: getter("turn") },
    { type: "session/title", data: { ...title, [Symbol("s")]: 1 } },
    { type: "session/title", data: { ...title, messageSeqs: Object.assign(new Array(1), { extra: 1 }) } },
    { type: "session/title", data: title, seq: 0 },
    { type: "session/title", data: title, time: 5 },
    { type: "session/title", data: title, more: true },
    { type: "session/title" },
    { type: "session/title", data: null },
    { type: "turn/start", data: undefined },
    undefined,
    null,
  ];
  for (const each of odd) rejects(() => log.append(each as never));
  assert.deepEqual([log.events.length, reads], [0, 0]);
});

test("AG-175 a payload is kept as every reader reads it: in one form, without what its type does not name, and as deep as a value may be", () => {
  const { log } = testLog();
  let deep: Json = "ground";
  for (let level = 0; level < 200; level += 1) deep = { deep };
  const source = { more: 1, data: deep, plugin: "notes", kind: "plugin" };
  const message = { source, more: 1, content: [{ text: "hi", more: 1, type: "text" }], role: "user", id: "m" };
  for (const each of [draft.turnStart(1), draft.stepStart(1, 1), { type: "user/message", surfaceOp: "append", data: message }])
    log.append(each as EventDraft);
  const stored = log.events.map((event) => parseEvent(JSON.parse(JSON.stringify(event))) as SessionEvent);
  assert.equal(JSON.stringify(testLog({ events: stored }).log.surface.messages()), JSON.stringify(log.surface.messages()));
  assert.deepEqual(log.surface.messages(), [
    { id: "m", role: "user", content: [{ type: "text", text: "hi" }], source: { kind: "plugin", plugin: "notes", data: deep } },
  ]);
  const isFrozen = (value: unknown): boolean =>
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  assert.ok(log.events.every(isFrozen));
});

test("SES-5 an event of a type that nobody registered is refused, and so is every other mark than ignorable: true", () => {
  const { log } = testLog();
  rejects(() => log.append({ type: "future/thing", data: {} } as never));
  rejects(() => log.append({ type: "toString", data: {}, ignorable: true } as never));
  for (const ignorable of [false, "yes", 1, null]) rejects(() => log.append({ ...draft.title("t"), ignorable } as never));
  log.append({ ...draft.title("t"), ignorable: true });
  assert.equal(log.events[0]?.ignorable, true);
});

test("AG-190 SES-5 a log with an event of a newer release that may be skipped loads and goes on behind it", async () => {
  const [start] = logOf(draft.turnStart(1));
  const future = { type: "future/thing", seq: 1, time: 1, data: {}, ignorable: true };
  const { log, batches } = testLog({ events: [start, future] as Events });
  log.append(draft.stepStart(1, 1));
  await log.flush();
  assert.deepEqual([log.events[1], log.turn, log.step, batches[0]?.nextSeq], [future, 1, 1, 2]);
  const onTheSurface = { ...future, surfaceOp: "append" };
  assert.throws(() => testLog({ events: [start, onTheSurface] as Events }), { code: "SESSION_CORRUPT" });
});

test("SES-28 what would not load again is not taken: a payload fits its type", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1)) });
  const answer = draft.assistant(1, 1, [], "text") as Extract<EventDraft, { type: "assistant/message" }>;
  for (const usage of [{ inputTokens: -1, outputTokens: 1 }, { inputTokens: 0.5, outputTokens: 1 }, { outputTokens: 1 }])
    rejects(() => log.append({ ...answer, data: { ...answer.data, usage } } as never));
  rejects(() => log.append({ ...draft.user("m"), data: { ...userMessage("m"), content: "text" } } as never));
  rejects(() => log.append({ ...draft.user("m"), data: { ...userMessage("m"), id: "" } } as never));
  assert.equal(log.events.length, 2);
});

test("SES-6 only the three surface types have a surfaceOp, and it is append or a whole replacement", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a"), draft.user("b")) });
  const odd = [
    ...[undefined, null, "prepend", "replace", {}, { op: "replace" }, { op: "replace", start: 2 }, [2, 3]],
    ...[
      { op: "delete", start: 2, end: 2 },
      { op: "replace", start: 2, end: 2, more: 1 },
    ],
    ...[
      { op: "replace", start: "2", end: "2" },
      { op: "replace", start: -1, end: 2 },
      { op: "replace", start: 2.5, end: 2.5 },
    ],
    ...[
      { op: "replace", start: 3, end: 2 },
      { op: "replace", start: 0, end: 2 },
      { op: "replace", start: 2, end: 4 },
    ],
  ];
  for (const surfaceOp of odd)
    rejects(() => log.append({ type: "user/message", surfaceOp, sourceEventSeqs: [2, 3], data: userMessage("r") } as never));
  rejects(() => log.append({ ...draft.title("t"), surfaceOp: "append" } as never));
  rejects(() => log.append({ ...draft.title("t"), sourceEventSeqs: [1] } as never));
  assert.deepEqual([log.events.length, log.surface.nodes.length, log.surface.replaceGeneration], [4, 2, 0]);
});

test("SES-7 sources are earlier positions, each once; none at all only of an answer", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1)) });
  for (const sourceEventSeqs of [[], [2], [9], [-1], [0.5], [0, 0], ["0"], [null], 0, "0", {}, null])
    rejects(() => log.append({ ...draft.user("m"), sourceEventSeqs } as never));
  log.append({ ...draft.user("m"), sourceEventSeqs: [1, 0] } as never);
  log.append(draft.assistant(1, 1, []));
  assert.deepEqual(
    log.events.slice(2).map((event) => event.sourceEventSeqs),
    [[1, 0], []],
  );
  const stored = log.events.map((event) => (event.seq === 2 ? { ...event, sourceEventSeqs: [2] } : event));
  assert.throws(() => testLog({ events: stored }), { code: "SESSION_CORRUPT" });
});

test("AG-002 what the model sees of a loaded log cannot be changed beside it either", () => {
  const stored = JSON.parse(JSON.stringify(logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a", "one")))) as Events;
  const { log } = testLog({ events: stored });
  const [message] = log.surface.messages();
  assert.ok(message);
  assert.throws(() => (message.content as unknown[]).push({ type: "text", text: "more" }), TypeError);
  assert.throws(() => Object.assign(message.content[0] as object, { text: "other" }), TypeError);
  assert.match(JSON.stringify(log.surface.messages()), /"one"/);
});

test("AG-002 a replacement and its sources are the log's own too", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a"), draft.user("b")) });
  const surfaceOp = { op: "replace" as const, start: 2, end: 3 };
  const sourceEventSeqs = [2, 3];
  const event = log.append({ type: "user/message", surfaceOp, sourceEventSeqs, data: userMessage("r") });
  surfaceOp.end = 9;
  sourceEventSeqs.push(9);
  assert.deepEqual([event.surfaceOp, event.sourceEventSeqs], [{ op: "replace", start: 2, end: 3 }, [2, 3]]);
  assert.ok(Object.isFrozen(event.surfaceOp) && Object.isFrozen(event.sourceEventSeqs));
});

test("SES-10 an observer that fails after the event was taken is nobody's failure, and the event is written", async () => {
  const { log, batches } = testLog({
    onAppend: () => {
      throw new Error("a broken observer");
    },
  });
  log.append(draft.title("kept"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([log.events.length, batches.length], [1, 1]);
});

test("AG-002 the stored event is a frozen copy that later changes of the caller's object do not reach", () => {
  const { log } = testLog();
  const message = userMessage("m1");
  const event = log.append(draft.insert(message));
  message.content[0] = { type: "text", text: "changed" };
  assert.equal(JSON.stringify(event.data).includes("changed"), false);
  assert.ok(Object.isFrozen(event) && Object.isFrozen(event.data));
  assert.throws(() => Object.assign(event.data, { start: 5 }), TypeError);
});
