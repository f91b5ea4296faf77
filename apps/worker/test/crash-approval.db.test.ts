import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionEvent, UserId } from "@gantry/contracts";
import { sessionsDue } from "@gantry/db";
import { toolResults } from "@gantry/testing";
import { type CrashOptions, instrument, type KillPoint } from "./support/crash-roots.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { answerOpen, openPrompts, setRules } from "./support/people.ts";
import { startProcess } from "./support/processes.ts";
import { until } from "./support/until.ts";

const holder = await startHolder(
  (request) => (toolResults(request).length > 0 ? { text: "all done" } : { toolCalls: [{ name: "effect", arguments: {} }] }),
  {},
  { LEASE_TTL_MS: "60000", LEASE_HEARTBEAT_MS: "20000" },
);
const { db, deps, addOrg, say, post, hold, row, events } = holder;
const effects = join(db.env.GANTRY_DATA_DIR, "effects.log");
instrument(deps.roots, { effects });

async function asking(): Promise<{ ref: Ref; userId: UserId }> {
  const { orgId, userId, addSession } = await addOrg();
  await setRules(db.asOwner, orgId, [{ tool: "effect", decision: "ask" }]);
  const ref = await addSession();
  await say(ref, userId, "go");
  return { ref, userId };
}

/** A worker process takes the session up and dies there; the lease is as free as it would be after its time. */
async function dies(ref: Ref, point: KillPoint): Promise<void> {
  await free(ref);
  const options: CrashOptions = { effects, killAt: { ...point, sessionId: ref.sessionId } };
  const child = startProcess("apps/worker/test/support/crash-worker.ts", db.env, { log: "worker.log", args: [JSON.stringify(options)] });
  const wakes = setInterval(() => void deps.publisher.publishNudge(ref), 200);
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearInterval(wakes);
  assert.equal(signal, "SIGKILL", readFileSync(join(db.env.GANTRY_DATA_DIR, "worker.log"), "utf8").slice(-2_000));
}
async function free({ orgId, sessionId }: Ref): Promise<void> {
  await db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() WHERE session_id = $1", [sessionId]);
  await db.asOwner(orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [sessionId]);
}

const allow = async (ref: Ref, by: UserId) =>
  answerOpen(ref, { kind: "approval", outcome: "allowed-once" }, { by, post: (payload) => post(ref, payload) });
const runsOf = ({ sessionId }: Ref) =>
  (existsSync(effects) ? readFileSync(effects, "utf8").split("\n") : []).filter((line) => line.startsWith(sessionId)).length;
const named = (log: readonly SessionEvent[]) =>
  log.flatMap((event) => {
    if (event.type === "approval/asked" || event.type === "session/end-seed") return [event.type];
    if (event.type === "approval/decided") return [`decided ${event.data.outcome}`];
    if (event.type === "tool/result") return [event.data.error?.code ?? "result"];
    return event.type === "turn/end" ? [`turn/end ${event.data.reason.kind}`] : [];
  });
const completed = (ref: Ref) =>
  until(async () => named(await events(ref)).at(-1) === "turn/end completed" && (await row(ref)).status === "idle", "the end");

test("C7 a worker that dies with its question durable, and the next one at its seed mark: the question stands, and the answer runs the call once", {
  timeout: 240_000,
}, async () => {
  const { ref, userId } = await asking();
  await dies(ref, { type: "approval/asked", nth: 1 });
  assert.equal((await openPrompts(ref)).length, 1, "the question is stored with its event");
  await dies(ref, { type: "session/end-seed", nth: 1 });
  await free(ref);
  await hold(ref);
  assert.deepEqual(
    [(await row(ref)).status, await sessionsDue(ref.orgId, { graceMs: 0 })],
    ["waiting", []],
    "nobody holds it, nothing wakes it",
  );
  await allow(ref, userId);
  void hold(ref);
  await completed(ref);
  assert.deepEqual(named(await events(ref)), [
    "approval/asked",
    "session/end-seed",
    "decided allowed-once",
    "result",
    "turn/end completed",
  ]);
  assert.equal(runsOf(ref), 1);
});

test("C7 a worker that dies between the answer and the body, and the next one too: a third runs the call, once", {
  timeout: 240_000,
}, async () => {
  const { ref, userId } = await asking();
  await hold(ref);
  await allow(ref, userId);
  await dies(ref, { type: "approval/decided", nth: 1 });
  await dies(ref, { type: "session/end-seed", nth: 1 });
  assert.equal(runsOf(ref), 0);
  await free(ref);
  void hold(ref);
  await completed(ref);
  assert.deepEqual(named(await events(ref)).slice(2), ["decided allowed-once", "session/end-seed", "result", "turn/end completed"]);
  assert.equal(runsOf(ref), 1);
});

test("C8 a worker that dies behind the barrier of a call that was allowed: its effect is unknown, it is not run again, and a new try asks anew", {
  timeout: 240_000,
}, async () => {
  const { ref, userId } = await asking();
  await hold(ref);
  await allow(ref, userId);
  await dies(ref, { type: "dispatched", nth: 1 });
  await free(ref);
  void hold(ref);
  await until(async () => (await row(ref)).status === "failed", "the pickup");
  assert.deepEqual(named(await events(ref)).slice(2), [
    "decided allowed-once",
    "TOOL_OUTCOME_UNKNOWN",
    "turn/end interrupted",
    "session/end-seed",
  ]);
  assert.deepEqual([runsOf(ref), (await openPrompts(ref)).length], [0, 0]);
});

test("a worker that dies between a no and its result: the call is refused, whatever the rules say by then", {
  timeout: 240_000,
}, async () => {
  const { ref, userId } = await asking();
  await hold(ref);
  await answerOpen(ref, { kind: "approval", outcome: "rejected" }, { by: userId, post: (payload) => post(ref, payload) });
  await dies(ref, { type: "approval/decided", nth: 1 });
  await db.asOwner(ref.orgId, "UPDATE composition_revisions SET source = '[]' WHERE org_id = $1", [ref.orgId]);
  await free(ref);
  void hold(ref);
  await completed(ref);
  assert.equal(runsOf(ref), 0);
});
