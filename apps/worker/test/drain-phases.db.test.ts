import assert from "node:assert/strict";
import { test } from "node:test";
import { runForOrg } from "@gantry/agent";
import type { EventType, SessionEvent, UserId } from "@gantry/contracts";
import { sessionsDue, withOrg } from "@gantry/db";
import { createRedis, newId } from "@gantry/platform";
import { lastUserText, type Script, toolResults } from "@gantry/testing";
import { wakeSession } from "../src/handlers/wake-session.ts";
import { OrgRoots } from "../src/roots/org-roots.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { answerOpen, openPrompts, setRules } from "./support/people.ts";
import { until } from "./support/until.ts";

const todos = { name: "todo_write", arguments: { todos: [{ content: "one", status: "pending" }] } };
const script: Script = (request) => {
  const text = lastUserText(request);
  if (text.includes("write a summary")) return { text: "what was said, in short", chunkSize: 4, delayMs: 60 };
  if (request.messages.some((message) => message.role === "user" && message.text === "todos") && toolResults(request).length === 0)
    return { toolCalls: [todos] };
  return text === "slowly" ? { text: "one two three four", chunkSize: 2, delayMs: 60 } : { text: "answer ".repeat(1_000) };
};
const holder = await startHolder(script);
const { db, deps, addOrg, addPreset, post, say, hold, row, events } = holder;
const compaction = {
  ...{ id: "compaction", name: "cordis:group", group: true, isolate: { compaction: true } },
  config: ["compaction-basic", "command-compact"].map((name) => ({ id: name, name })),
};
const rows = [{ id: "tool-todo", name: "tool-todo", config: { allowParallelInProgress: true } }, compaction];

const typesOf = async (ref: Ref) => (await events(ref)).map(({ type }) => type);
const has = (ref: Ref, type: EventType, count = 1) =>
  until(async () => (await typesOf(ref)).filter((one) => one === type).length >= count, `${count} × ${type}`);
const endsOf = (log: readonly SessionEvent[]) =>
  log.flatMap((event) => (event.type === "turn/end" ? [(event.data as { reason: { kind: string } }).reason.kind] : []));
const leases = (ref: Ref) => withOrg(ref.orgId, (tx) => tx.sessionLease.count({ where: { sessionId: ref.sessionId } }));

async function session() {
  const { orgId, userId, addSession } = await addOrg();
  await setRules(db.asOwner, orgId, [{ tool: "todo_*", decision: "ask" }]);
  return { ref: await addSession(await addPreset(orgId, "draining", rows)), orgId, userId };
}

/** A worker of its own that holds one session until it is asked to leave; `ended` when it has given it back. */
function worker(ref: Ref) {
  const [draining, stopping] = [new AbortController(), new AbortController()];
  const roots = new OrgRoots(db.env, deps.log);
  const own = { ...deps, roots, workerId: newId(), holding: new Set<Ref["sessionId"]>(), draining: draining.signal, stop: stopping.signal };
  const ended = runForOrg(ref.orgId, () => wakeSession(own, ref, { takenOver: false })).finally(() => roots.close());
  return { ended, drain: () => draining.abort() };
}

/** Asks for it until it has begun: a turn's end is stored a moment before its agent rests. */
async function compacting(ref: Ref, userId: UserId): Promise<void> {
  for (let asked = 1; !(await typesOf(ref)).includes("compaction/start"); asked += 1) {
    await post(ref, { kind: "command", commandId: newId(), name: "compact", args: "", userId });
    const isTaken = (types: readonly string[]) =>
      types.includes("compaction/start") || types.filter((type) => type === "command/done").length === asked;
    await until(async () => isTaken(await typesOf(ref)), "the command");
  }
}

test("REC-4 asked to leave while a model answers: the step is finished, and a turn that ends with it was not interrupted", async () => {
  const { ref, userId, orgId } = await session();
  await say(ref, userId, "slowly");
  const first = worker(ref);
  await has(ref, "assistant/chunk");
  first.drain();
  await first.ended;
  const log = await events(ref);
  assert.deepEqual([endsOf(log), log.at(-1)?.type, await leases(ref)], [["completed"], "turn/end", 0]);
  assert.deepEqual(await sessionsDue(orgId, { graceMs: 0 }), []);
});

test("REC-4 asked to leave while it only keeps the session loaded: it is given back at once, and nothing is written", async () => {
  const { ref, userId } = await session();
  await say(ref, userId, "hello");
  const first = worker(ref);
  await has(ref, "turn/end");
  const before = await typesOf(ref);
  first.drain();
  await first.ended;
  assert.deepEqual([await typesOf(ref), await leases(ref)], [before, 0]);
});

test("REC-4 asked to leave in the moment a person is asked: no interruption, and the next worker takes the step up with the answer", async () => {
  const { ref, userId } = await session();
  await say(ref, userId, "todos");
  const first = worker(ref);
  await until(async () => (await openPrompts(ref)).length === 1, "the question");
  first.drain();
  await first.ended;
  assert.deepEqual([(await row(ref)).status, await leases(ref), endsOf(await events(ref))], ["waiting", 0, []]);
  await answerOpen(ref, { kind: "approval", outcome: "allowed-once" }, { by: userId, post: (payload) => post(ref, payload) });
  const second = worker(ref);
  await has(ref, "todo/write");
  second.drain();
  await second.ended;
  void hold(ref);
  await has(ref, "turn/end");
  await until(async () => endsOf(await events(ref)).at(-1) === "completed", "the end");
  const kinds = await typesOf(ref);
  assert.equal(kinds.filter((type) => type === "todo/write").length, 1, "the call ran once");
});

test("REC-4 C15 asked to leave during /compact: it is finished, and its command has its end", async () => {
  const { ref, userId } = await session();
  for (const text of ["one", "two"]) await say(ref, userId, text);
  const first = worker(ref);
  await has(ref, "turn/end", 2);
  await compacting(ref, userId);
  first.drain();
  await first.ended;
  const log = await events(ref);
  assert.deepEqual(
    log.slice(-4).map(({ type }) => type),
    ["compaction/summary", "user/message", "compaction/end", "command/done"],
  );
  assert.equal(await leases(ref), 0);
});

test("REC-4 a command that comes while the worker leaves is left to the next one, and so is what was asked after it", async () => {
  const { ref, userId } = await session();
  for (const text of ["one", "slowly"]) await say(ref, userId, text);
  const first = worker(ref);
  await has(ref, "turn/start", 2);
  await has(ref, "assistant/chunk", 2);
  first.drain();
  await post(ref, { kind: "command", commandId: newId(), name: "compact", args: "", userId });
  await post(ref, { kind: "rename", title: "afterwards", userId });
  await first.ended;
  assert.deepEqual(await holder.waiting(ref), ["command", "rename"]);
  assert.ok(
    (await sessionsDue(ref.orgId)).some(({ sessionId }) => sessionId === ref.sessionId),
    "free at once",
  );
  void hold(ref);
  await has(ref, "command/done");
  const [done] = (await events(ref)).flatMap((event) => (event.type === "command/done" ? [event.data] : []));
  assert.match(done?.text ?? "", /^Summed up/);
  await until(async () => (await row(ref)).title === "afterwards", "the rename");
});

test("a Redis that lost everything while a person is asked costs time only: the sweep finds the answer", async () => {
  const { ref, orgId, userId } = await session();
  await say(ref, userId, "todos");
  await hold(ref);
  const redis = createRedis("producer");
  const keys = await redis.keys(`*${db.env.REDIS_PREFIX}*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
  await answerOpen(ref, { kind: "approval", outcome: "rejected" }, { by: userId, post: (payload) => post(ref, payload) });
  await db.asOwner(orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [ref.sessionId]);
  assert.deepEqual(
    (await sessionsDue(orgId)).map(({ sessionId }) => sessionId),
    [ref.sessionId],
  );
  void hold(ref);
  await has(ref, "turn/end");
  assert.deepEqual(endsOf(await events(ref)), ["completed"]);
});
