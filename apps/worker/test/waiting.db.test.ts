import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandPayload, SessionEvent } from "@gantry/contracts";
import { expirePrompts, sessionsDue, withOrg } from "@gantry/db";
import { toolResults } from "@gantry/testing";
import { type Ref, startHolder } from "./support/holder.ts";
import { answerOpen, openPrompts, setRules, stateOf } from "./support/people.ts";
import { until } from "./support/until.ts";

const todos = { name: "todo_write", arguments: { todos: [{ content: "one", status: "pending" }] } };
const question = {
  name: "ask_user_question",
  arguments: { questions: [{ id: "q", question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
};
const holder = await startHolder((request) => {
  const asked = request.messages.findLast((message) => message.role === "user" && /^(todos|question)$/.test(message.text));
  if (toolResults(request).length > 0 || asked?.role !== "user") return { text: "finished" };
  return { toolCalls: [asked.text === "todos" ? todos : question] };
});
const { db, addOrg, addPreset, say, hold, row, events } = holder;
const rows = [
  { id: "tool-todo", name: "tool-todo", config: { allowParallelInProgress: true } },
  { id: "tool-ask-user", name: "tool-ask-user" },
];
const allow = { kind: "approval", outcome: "allowed-once" } as const;

async function session() {
  const { orgId, userId, addSession } = await addOrg();
  await setRules(db.asOwner, orgId, [{ tool: "todo_*", decision: "ask", reason: "lists are looked at" }]);
  const ref = await addSession(await addPreset(orgId, "asking", rows));
  const post = (payload: CommandPayload) => holder.post(ref, payload);
  const leases = () => withOrg(orgId, (tx) => tx.sessionLease.count({ where: { orgId, sessionId: ref.sessionId } }));
  return { ref, orgId, userId, post, leases, by: userId };
}

const typesOf = async (ref: Ref) => (await events(ref)).map(({ type }) => type);
const dataOf = <T extends SessionEvent["type"]>(all: readonly SessionEvent[], type: T) =>
  all.flatMap((event) => (event.type === type ? [event.data as Extract<SessionEvent, { type: T }>["data"]] : []));
const ended = (ref: Ref) => until(async () => (await typesOf(ref)).includes("turn/end"), "the end of the turn");
const age = (ref: Ref) =>
  db.asOwner(ref.orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [ref.sessionId]);

test("a session that waits for an approval is held by nobody and woken by nothing; the answer takes it up in the same turn", async () => {
  const { ref, orgId, userId, leases, by, post } = await session();
  await say(ref, userId, "todos");
  await hold(ref); // given back at once, without lingering
  const shown = await row(ref);
  assert.deepEqual([shown.status, await leases()], ["waiting", 0]);
  assert.equal((await typesOf(ref)).at(-1), "approval/asked");
  const [prompt] = await openPrompts(ref);
  assert.deepEqual([prompt?.kind, prompt?.toolName], ["approval", "todo_write"]);
  assert.deepEqual(await sessionsDue(orgId, { graceMs: 0 }), []);
  await hold(ref); // a ticket that came for nothing
  assert.deepEqual([(await row(ref)).status, await leases()], ["waiting", 0]);

  await answerOpen(ref, allow, { by, post });
  await age(ref);
  assert.equal((await sessionsDue(orgId)).length, 1);
  void hold(ref);
  await ended(ref);
  const log = await events(ref);
  assert.deepEqual(dataOf(log, "approval/decided"), [{ id: prompt?.id, outcome: "allowed-once", by: userId }]);
  assert.deepEqual([dataOf(log, "turn/start").length, dataOf(log, "todo/write").length, dataOf(log, "tool/call").length], [1, 1, 1]);
  assert.deepEqual(
    dataOf(log, "turn/end").map(({ reason }) => reason.kind),
    ["completed"],
  );
});

test("EX-240 a question survives its worker; the answer reaches the model as JSON", async () => {
  const { ref, userId, by, post } = await session();
  await say(ref, userId, "question");
  await hold(ref);
  assert.equal((await row(ref)).status, "waiting");
  await answerOpen(ref, { kind: "question", outcome: "answered", answers: [{ id: "q", selected: ["B"] }] }, { by, post });
  void hold(ref);
  await ended(ref);
  const [result] = dataOf(await events(ref), "tool/result");
  assert.match(JSON.stringify(result?.message.content), /\{\\"answers\\":\[\{\\"id\\":\\"q\\",\\"selected\\":\[\\"B\\"\]\}\]\}/);
});

test("a message that comes while a session waits is queued, and its holder gives the session back again", async () => {
  const { ref, userId, by, post, leases } = await session();
  await say(ref, userId, "todos");
  await hold(ref);
  await say(ref, userId, "more");
  await hold(ref);
  assert.deepEqual([(await row(ref)).status, await leases(), await holder.waiting(ref)], ["waiting", 0, []]);
  await answerOpen(ref, allow, { by, post });
  void hold(ref);
  await until(async () => (await typesOf(ref)).filter((type) => type === "turn/end").length === 2, "both turns");
});

test("a stop reaches a session that waits: the turn ends and the question is withdrawn", async () => {
  const { ref, userId, post } = await session();
  await say(ref, userId, "todos");
  await hold(ref);
  const [prompt] = await openPrompts(ref);
  await post({ kind: "cancel", keepInbox: false, userId });
  void hold(ref);
  await ended(ref);
  const log = await events(ref);
  assert.deepEqual(
    [dataOf(log, "approval/decided").map(({ outcome }) => outcome), dataOf(log, "turn/end").map(({ reason }) => reason)],
    [["cancelled"], [{ kind: "aborted", reason: "user" }]],
  );
  assert.equal(await stateOf(ref, prompt?.id ?? ""), "cancelled");
  assert.equal((await row(ref)).status, "idle");
});

test("a question that nobody answers in time is decided by the sweep, and the turn goes on", async () => {
  const { ref, orgId, userId } = await session();
  await say(ref, userId, "todos");
  await hold(ref);
  await db.asOwner(orgId, "UPDATE pending_prompts SET expires_at = now() - interval '1 second' WHERE session_id = $1", [ref.sessionId]);
  await expirePrompts(orgId);
  void hold(ref);
  await ended(ref);
  const log = await events(ref);
  assert.deepEqual(
    [
      dataOf(log, "approval/decided").map(({ outcome }) => outcome),
      dataOf(log, "todo/write"),
      dataOf(log, "turn/end").map(({ reason }) => reason.kind),
    ],
    [["unavailable"], [], ["completed"]],
  );
});

test("PRM-4 PRM-5 a session pins what it may touch, once; a switch is logged and shown on its row", async () => {
  const { ref, userId, post } = await session();
  await say(ref, userId, "hello");
  void hold(ref);
  await ended(ref);
  await post({ kind: "set-permission", preset: "danger-full-access", userId });
  await until(async () => (await row(ref)).permission === "danger-full-access", "the session's row");
  const log = await events(ref);
  assert.deepEqual(
    dataOf(log, "sandbox/mode").map(({ mode }) => mode),
    ["workspace-write", "danger-full-access"],
  );
  assert.deepEqual(
    dataOf(log, "approval/policy").map(({ policy }) => policy),
    ["ask", "never"],
  );
});
