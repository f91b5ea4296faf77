import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, type EventDraft, type SessionEvent } from "@gantry/contracts";
import { draft, logOf, testLog, userMessage } from "./support/log.ts";

const rejects = (run: () => unknown) => assert.throws(run, { code: "SESSION_REJECTED_EVENT" });

test("AG-004 a replacement must name a current range and cite all that it hides", () => {
  const { log } = testLog();
  for (const item of [draft.turnStart(1), draft.stepStart(1, 1), draft.user("a"), draft.user("b"), draft.user("c")]) log.append(item);
  const replace = (start: number, end: number, sourceEventSeqs: number[]) =>
    log.append({ type: "user/message", surfaceOp: { op: "replace", start, end }, sourceEventSeqs, data: userMessage(`r${start}${end}`) });
  rejects(() => replace(2, 3, [2]));
  replace(2, 3, [2, 3]);
  rejects(() => replace(2, 4, [2, 3, 4]));
  assert.deepEqual(
    log.surface.messages().map((message) => message.id),
    ["r23", "c"],
  );
});

test("AG-006 appending from inside an observer is refused and the outer event stays", () => {
  let failure: unknown;
  const { log } = testLog({
    onAppend: () => {
      try {
        log.append(draft.title("inner"));
      } catch (error) {
        failure = error;
      }
    },
  });
  log.append(draft.title("outer"));
  assert.ok(failure instanceof AppError);
  assert.equal(log.events.length, 1);
});

test("AG-007 a second turn does not start while one is open", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1)) });
  rejects(() => log.append(draft.turnStart(2)));
});

test("AG-008 step numbers grow by one", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.stepEnd(1, 1)) });
  rejects(() => log.append(draft.stepStart(1, 3)));
  log.append(draft.stepStart(1, 2));
});

test("AG-009 a result needs its call, unless it says that the call never started", () => {
  const events = logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.assistant(1, 1, [{ id: "c1", name: "bash" }]));
  const { log } = testLog({ events });
  rejects(() => log.append(draft.result(1, 1, "c1")));
  rejects(() => log.append(draft.result(1, 1, "unknown", "TOOL_NOT_STARTED")));
  const notStarted = draft.result(1, 1, "c1", "TOOL_NOT_STARTED") as Extract<EventDraft, { type: "tool/result" }>;
  const withContent = (content: unknown) => ({
    ...notStarted,
    data: { ...notStarted.data, message: { ...notStarted.data.message, content } },
  });
  const [block] = notStarted.data.message.content;
  for (const content of [[], [{ ...block, isError: false }], [block, block], [block, { type: "text", text: "more" }]])
    rejects(() => log.append(withContent(content) as never));
  log.append(notStarted);
  rejects(() => log.append(draft.result(1, 1, "c1", "TOOL_NOT_STARTED")));
});

test("AG-009 SES-14 a later step answers no call of an earlier one, and a call starts once", () => {
  const events = logOf(
    ...[draft.turnStart(1), draft.stepStart(1, 1), draft.assistant(1, 1, [{ id: "c1", name: "bash" }]), draft.call(1, 1, "c1")],
    ...[draft.result(1, 1, "c1"), draft.stepEnd(1, 1), draft.stepStart(1, 2)],
  );
  const { log } = testLog({ events });
  rejects(() => log.append(draft.call(1, 2, "c1")));
  rejects(() => log.append(draft.result(1, 2, "c1")));
  rejects(() => log.append(draft.result(1, 1, "c1")));
  rejects(() => log.append(draft.assistant(1, 1, [])));
  rejects(() => log.append({ type: "assistant/chunk", data: { turn: 1, step: 1, messageId: "m", runs: [] } }));
  log.append(draft.assistant(1, 2, [{ id: "c1", name: "bash" }]));
  log.append(draft.call(1, 2, "c1"));
  rejects(() => log.append(draft.call(1, 2, "c1")));
});

test("AG-010 events that belong into a turn are refused between turns, the others may stand alone", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.turnEnd(1)) });
  const ofTurns: EventDraft[] = [
    { type: "approval/asked", data: { id: "a", toolName: "bash" } },
    { type: "approval/decided", data: { id: "a", outcome: "rejected" } },
    { type: "question/asked", data: { id: "q", callId: "c", questions: [] } },
    { type: "todo/write", data: { todos: [] } },
    { type: "request/header", data: { header: { config: { provider: "p", model: "m" } }, reason: "initial" } },
    { type: "request/context", data: { provider: "p", model: "m" } },
    draft.user("m"),
  ];
  for (const each of ofTurns) rejects(() => log.append(each));
  assert.equal(log.events.length, 2);
  const standingAlone: EventDraft[] = [
    { type: "permission/preset", data: { preset: "workspace-write" } },
    { type: "sandbox/mode", data: { mode: "read-only" } },
    { type: "approval/policy", data: { policy: "ask" } },
    { type: "command/run", data: { commandId: "c", name: "compact" } },
    { type: "feedback/record", data: { text: "fine" } },
    { type: "session/end-seed", data: {} },
    draft.title("t"),
    draft.insert(userMessage("waits")),
  ];
  for (const each of standingAlone) log.append(each);
});

test("SES-14 a step does not end over a call without a result", () => {
  const events = logOf(
    draft.turnStart(1),
    draft.stepStart(1, 1),
    draft.assistant(1, 1, [{ id: "c1", name: "bash" }]),
    draft.call(1, 1, "c1"),
  );
  const { log } = testLog({ events });
  rejects(() => log.append(draft.stepEnd(1, 1)));
});

test("AG-017 a flush waits for what is appended while a batch is being written", async () => {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const write = () => {
    begun.resolve();
    return gate.promise;
  };
  const { log, batches } = testLog({ write });
  log.append(draft.title("first"));
  const flushed = log.flush();
  await begun.promise;
  log.append(draft.title("second"));
  gate.resolve();
  await flushed;
  assert.deepEqual(
    batches.map((batch) => [batch.nextSeq, batch.events.length]),
    [
      [0, 1],
      [1, 1],
    ],
  );
});

test("SES-32 SES-34 what follows a flush in the same run is in its batch: a command is consumed with its effect", async () => {
  const { log, batches } = testLog();
  log.append(draft.turnStart(1));
  const barrier = log.flush();
  log.append(draft.stepStart(1, 1));
  log.consume("c1" as never);
  await barrier;
  assert.deepEqual(
    batches.map(({ events, consume }) => [events.map(({ type }) => type), consume]),
    [[["turn/start", "step/start"], ["c1"]]],
  );
});

test("events appended in one run share a batch (SES-32), and commands ride with them", async () => {
  const { log, batches } = testLog();
  log.append(draft.turnStart(1));
  log.append(draft.stepStart(1, 1));
  log.append(draft.user("m1"));
  log.consume("command" as never);
  log.show({ status: "working" });
  await log.flush();
  assert.equal(batches.length, 1);
  assert.deepEqual([batches[0]?.events.length, batches[0]?.consume, batches[0]?.patch], [3, ["command"], { status: "working" }]);
});

test("a failed write loses nothing: the next flush writes the same events, commands and patch again", async () => {
  let fail = true;
  const { log, batches, committed } = testLog({
    write: () => (fail ? Promise.reject(new AppError("UNAVAILABLE", "down")) : Promise.resolve()),
  });
  log.append(draft.title("kept"));
  log.consume("command" as never);
  log.show({ title: "kept" });
  await assert.rejects(log.flush(), { code: "UNAVAILABLE" });
  assert.equal(committed.length, 0);
  fail = false;
  await log.flush();
  assert.deepEqual(
    batches.map(({ events, consume, patch }) => [events.length, consume, patch]),
    [[1, ["command"], { title: "kept" }]],
  );
});

test("AG-020 a fenced log tells once and takes nothing more", async () => {
  const { log, batches, fenced } = testLog({ write: () => Promise.reject(new AppError("LEASE_LOST", "gone")) });
  log.append(draft.title("late"));
  await assert.rejects(log.flush(), { code: "LEASE_LOST" });
  assert.throws(() => log.append(draft.title("later")), { code: "LEASE_LOST" });
  await assert.rejects(log.flush(), { code: "LEASE_LOST" });
  assert.deepEqual([fenced(), batches.length], [1, 0]);
});

test("a stored log with a gap or a broken order does not load (SES-28)", () => {
  const events = logOf(draft.turnStart(1), draft.turnEnd(1));
  assert.throws(() => testLog({ events: [events[1] as SessionEvent] }), { code: "SESSION_CORRUPT" });
  assert.throws(() => testLog({ events: [events[0], { ...events[0], seq: 1 }] as SessionEvent[] }), { code: "SESSION_CORRUPT" });
});

test("AG-175 a log that is loaded again gives the model the same history, byte for byte", () => {
  const events = logOf(
    draft.turnStart(1),
    draft.stepStart(1, 1),
    draft.user("a", "one"),
    draft.assistant(1, 1, [{ id: "c1", name: "bash" }], "two"),
    draft.call(1, 1, "c1"),
    draft.result(1, 1, "c1"),
    draft.stepEnd(1, 1),
    draft.turnEnd(1),
    draft.turnStart(2),
    draft.stepStart(2, 1),
    { type: "user/message", surfaceOp: { op: "replace", start: 2, end: 3 }, sourceEventSeqs: [2, 3], data: userMessage("s", "in short") },
    draft.user("b", "three"),
  );
  const stored = JSON.parse(JSON.stringify(events)) as SessionEvent[];
  const histories = [events, stored].map((each) => JSON.stringify(testLog({ events: each }).log.surface.messages()));
  assert.equal(histories[0], histories[1]);
  assert.match(histories[0] ?? "", /in short.*ok.*three/);
  assert.doesNotMatch(histories[0] ?? "", /one|two/);
});

test("AG-177 a refused event leaves rules, surface and length as they were, and the next one is taken", () => {
  const heard: string[] = [];
  const { log } = testLog({
    events: logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a")),
    onAppend: ({ type }) => heard.push(type),
  });
  const before = JSON.stringify(log.surface.messages());
  rejects(() => log.append(draft.turnStart(2)));
  rejects(() => log.append({ ...draft.user("b"), sourceEventSeqs: [99] } as never));
  assert.deepEqual([log.events.length, JSON.stringify(log.surface.messages())], [3, before]);
  assert.deepEqual(heard, []);
  log.append(draft.stepEnd(1, 1));
  assert.deepEqual([log.events.length, heard], [4, ["step/end"]]);
});

test("AG-181 a history that was handed out does not grow with the log", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a")) });
  const handedOut = log.surface.messages();
  log.append(draft.user("b"));
  assert.equal(handedOut.length, 1);
  assert.equal(log.surface.messages().length, 2);
});

test("AG-182 a replacement in the middle keeps the order around it, also of a single message", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a"), draft.user("b"), draft.user("c")) });
  log.append({ type: "user/message", surfaceOp: { op: "replace", start: 3, end: 3 }, sourceEventSeqs: [3], data: userMessage("new") });
  assert.deepEqual(
    log.surface.messages().map((message) => message.id),
    ["a", "new", "c"],
  );
});

test("AG-191 the last flush of a worker that ends waits for the write in flight and tries a failed one again, with nothing lost or doubled", async () => {
  const gate = Promise.withResolvers<void>();
  let writes = 0;
  const { log, batches } = testLog({
    write: async () => {
      writes += 1;
      if (writes === 1) await gate.promise;
      if (writes === 2) throw new AppError("UNAVAILABLE", "Postgres restarts.");
    },
  });
  log.append(draft.title("in flight"));
  await new Promise((resolve) => setImmediate(resolve));
  log.append(draft.title("waits"));
  const last = log.flush();
  gate.resolve();
  await assert.rejects(last, /restarts/);
  await log.flush();
  assert.deepEqual(
    batches.map(({ nextSeq, events }) => [nextSeq, events.length]),
    [
      [0, 1],
      [1, 1],
    ],
  );
  await log.flush();
  assert.equal(writes, 3, "what is written is not written again");
});
