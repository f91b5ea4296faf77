import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { runForOrg } from "@gantry/agent";
import { SessionLog } from "@gantry/agent/session/log";
import type { SessionEvent } from "@gantry/contracts";
import { acquireLease, sessionsDue, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { toolResults } from "@gantry/testing";
import { wakeSession } from "../src/handlers/wake-session.ts";
import { OrgRoots } from "../src/roots/org-roots.ts";
import { keepLease } from "../src/session-lease.ts";
import { instrument } from "./support/crash-roots.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { hasEnded, kill, startProcess } from "./support/processes.ts";
import { until } from "./support/until.ts";

const holder = await startHolder((request) => {
  const asked = request.messages.find((message) => message.role === "user" && /^(long|wait|steps)/.test(message.text));
  const text = asked?.role === "user" ? asked.text : "";
  const done = toolResults(request).length;
  if (text === "steps") return done >= 3 ? { text: "done" } : { toolCalls: [{ name: "effect", arguments: { waitMs: 4_000 } }] };
  if (done > 0) return { text: "done" };
  return text === "long" ? { toolCalls: [{ name: "effect", arguments: { waitMs: 8_000 } }] } : { text: "done" };
});
const { db, deps, addOrg, say, hold, row, events } = holder;
const effects = join(db.env.GANTRY_DATA_DIR, "effects.log");
instrument(deps.roots, { effects });
const worker = (settings: Readonly<Record<string, string>> = {}) => {
  const child = startProcess("apps/worker/test/support/crash-worker.ts", db.env, {
    log: "worker.log",
    args: [JSON.stringify({ effects })],
    settings: { LOG_LEVEL: "info", ...settings },
  });
  after(() => kill(child));
  return child;
};

const expire = ({ orgId, sessionId }: Ref) =>
  db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() WHERE session_id = $1", [sessionId]);
const age = ({ orgId, sessionId }: Ref) =>
  db.asOwner(orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [sessionId]);
const runsOf = ({ sessionId }: Ref) =>
  readFileSync(effects, { encoding: "utf8", flag: "a+" })
    .split("\n")
    .filter((line) => line.startsWith(sessionId)).length;
const codes = (log: readonly SessionEvent[]) =>
  log.flatMap(({ type, data }) => (type === "tool/result" ? [data.error?.code ?? "ran"] : []));
const ends = (log: readonly SessionEvent[]) => log.flatMap(({ type, data }) => (type === "turn/end" ? [data.reason.kind] : []));

test("AG-170 a lease that runs out during a long call: the next holder logs that its outcome is unknown, the late result is not taken", {
  timeout: 180_000,
}, async () => {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "long");
  await age(ref);
  const first = worker();
  await until(() => runsOf(ref) === 1, "the body");
  first.kill("SIGSTOP"); // it goes on later and does not know
  await expire(ref);
  void hold(ref);
  await until(async () => (await row(ref)).status === "failed", "the takeover");
  const taken = await events(ref);
  assert.deepEqual([codes(taken), ends(taken)], [["TOOL_OUTCOME_UNKNOWN"], ["interrupted"]]);
  first.kill("SIGCONT");
  const log = () => readFileSync(join(db.env.GANTRY_DATA_DIR, "worker.log"), "utf8");
  await until(() => log().includes('"outcome":"lost"'), "the first worker to see it");
  assert.deepEqual(await events(ref), taken);
  assert.equal(runsOf(ref), 1);
  await kill(first);
});

test("AG-172 after three deaths in a row without a finished step the session waits for a person and says so", {
  timeout: 240_000,
}, async () => {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "wait");
  await age(ref);
  for (let death = 1; death <= 3; death += 1) {
    const killAt = { type: "step/start", nth: death, sessionId: ref.sessionId };
    const args = [JSON.stringify({ effects, killAt })];
    const child = startProcess("apps/worker/test/support/crash-worker.ts", db.env, { log: "worker.log", args });
    after(() => kill(child));
    await once(child, "exit");
    await expire(ref);
  }
  const asked = holder.model.requests.length;
  void hold(ref);
  await until(async () => (await row(ref)).status === "failed", "the end of the tries");
  const { problem, interruptions } = await row(ref);
  assert.match(problem ?? "", /interrupted 3 times in a row/);
  assert.deepEqual(
    [interruptions, ends(await events(ref)), holder.model.requests.length],
    [3, ["interrupted", "interrupted", "interrupted"], asked],
  );
  await say(ref, userId, "go on");
  await until(async () => ends(await events(ref)).at(-1) === "completed", "the turn that a person asked for");
});

test("AG-174 a worker that is asked to stop finishes its step and hands over there; the next one goes on after one interruption", {
  timeout: 180_000,
}, async () => {
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "steps");
  await age(ref);
  const first = worker({ DRAIN_MS: "20000" });
  await until(() => runsOf(ref) === 1, "the first call");
  const exited = once(first, "exit");
  first.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
  const log = await events(ref);
  assert.deepEqual([log.at(-1)?.type, codes(log), ends(log)], ["step/end", ["ran"], []], "as if it had died at the step's end");
  assert.ok(
    (await sessionsDue(orgId, { graceMs: 0 })).some(({ sessionId }) => sessionId === ref.sessionId),
    "free at once",
  );
  void hold(ref);
  await until(async () => ends(await events(ref)).at(-1) === "completed", "the rest");
  const whole = await events(ref);
  assert.deepEqual(
    [ends(whole), codes(whole)],
    [
      ["interrupted", "completed"],
      ["ran", "ran", "ran"],
    ],
  );
});

test("REC-4 a step that does not end within the drain is cut, and the session is free at once", { timeout: 180_000 }, async () => {
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "long");
  await age(ref);
  const first = worker({ DRAIN_MS: "200" });
  await until(() => runsOf(ref) === 1, "the body");
  first.kill("SIGTERM");
  await until(() => hasEnded(first), "its end");
  assert.deepEqual(codes(await events(ref)), []);
  assert.ok((await sessionsDue(orgId, { graceMs: 0 })).some(({ sessionId }) => sessionId === ref.sessionId));
});

/** Workers that know nothing of each other, each of which holds the session once; `stop` ends them all. */
function moreWorkers(ref: Ref) {
  const stopping = new AbortController();
  const holds: Promise<void>[] = [];
  const hold = () => {
    const roots = new OrgRoots(db.env, deps.log);
    const own = {
      ...deps,
      roots,
      workerId: newId(),
      holding: new Set<Ref["sessionId"]>(),
      draining: stopping.signal,
      stop: stopping.signal,
    };
    const held = runForOrg(ref.orgId, () => wakeSession(own, ref, { takenOver: false })).finally(() => roots.close());
    holds.push(held);
  };
  const stop = async () => {
    stopping.abort();
    await Promise.all(holds);
  };
  return { hold, stop };
}

test("AG-248 ten pickups in a row add no closer twice and no second seed mark", { timeout: 180_000 }, async () => {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "long");
  await age(ref);
  const first = worker();
  await until(() => runsOf(ref) === 1, "the body");
  await kill(first);
  const others = moreWorkers(ref);
  for (let pickup = 0; pickup < 10; pickup += 1) {
    const before = (await row(ref)).leaseEpoch;
    await expire(ref);
    others.hold();
    await until(async () => (await row(ref)).leaseEpoch > before && (await row(ref)).status === "failed", "a pickup");
  }
  await others.stop();
  const log = await events(ref);
  new SessionLog({ events: log, write: () => Promise.resolve() });
  assert.deepEqual([codes(log), ends(log)], [["TOOL_OUTCOME_UNKNOWN"], ["interrupted"]]);
  assert.equal(log.filter(({ type }) => type === "session/end-seed").length, 1);
});

test("REC-1 a try of a ticket after one that failed waits for the lease that the first left behind; a first try does not", {
  timeout: 180_000,
}, async () => {
  const { userId, addSession } = await addOrg();
  const [ref, other] = [await addSession(), await addSession()];
  const tries = [];
  for (const [session, attempt] of [
    [ref, 2],
    [other, 1],
  ] as const) {
    await say(session, userId, "hello");
    // as it stands when the database was away at the end of the first try
    assert.ok(await acquireLease(session.orgId, session.sessionId, deps.workerId, deps.env.LEASE_TTL_MS));
    tries.push(runForOrg(session.orgId, () => wakeSession(deps, session, { takenOver: false, attempt })));
  }
  await tries[1];
  assert.deepEqual(ends(await events(other)), [], "its holder was told, and does it");
  await until(async () => ends(await events(ref)).at(-1) === "completed", "the answer");
});

test("REC-1 a lease that cannot be renewed ends its work when it runs out, also while the database does not answer", async () => {
  const { addSession } = await addOrg();
  const ref = await addSession();
  const env = { ...db.env, LEASE_TTL_MS: 4_000, LEASE_HEARTBEAT_MS: 100 };
  const lease = await acquireLease(ref.orgId, ref.sessionId, "w", env.LEASE_TTL_MS);
  assert.ok(lease);
  const lost = new AbortController();
  const asked = performance.now();
  // another epoch: each renewal is answered with no
  const stop = keepLease({ env, log: deps.log }, { ...ref, epoch: lease.epoch, asked }, lost);
  const expiry = () =>
    withOrg(ref.orgId, (tx) => tx.sessionLease.findUniqueOrThrow({ where: { sessionId: ref.sessionId }, select: { expiresAt: true } }));
  const first = await expiry();
  await until(async () => (await expiry()).expiresAt.getTime() - first.expiresAt.getTime() > env.LEASE_TTL_MS, "renewals for another life");
  assert.equal(lost.signal.aborted, false, "renewed in time");
  await withOrg(ref.orgId, (tx) => tx.sessionLease.deleteMany({ where: { sessionId: ref.sessionId } }));
  await until(() => lost.signal.aborted, "the loss");
  stop();

  const silent = new AbortController();
  const never = { ...ref, orgId: newId() as Ref["orgId"] };
  const end = keepLease(
    { env: { ...env, LEASE_HEARTBEAT_MS: 60_000 }, log: deps.log },
    { ...never, epoch: 1, asked: performance.now() },
    silent,
  );
  await until(() => silent.signal.aborted, "the loss at its end, not at the next heartbeat");
  end();
});
