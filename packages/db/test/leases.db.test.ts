import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import {
  acquireLease,
  appendEvents,
  insertCommand,
  pendingCommands,
  releaseLease,
  renewLease,
  sessionsDue,
  withOrg,
} from "../src/index.ts";

const db = await testDatabase();
type Held = Awaited<ReturnType<typeof db.createTenant>>;

const expire = ({ orgId, sessionId }: Held) =>
  db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() - interval '1 second' WHERE session_id = $1", [sessionId]);
const age = ({ orgId, sessionId }: Held) =>
  db.asOwner(orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [sessionId]);

const cancelPayload = { kind: "cancel", keepInbox: false, userId: "u" } as const;
function cancel({ orgId, sessionId }: Held, clientKey: string = newId()) {
  return withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey, payload: cancelPayload }));
}

describe("leases", () => {
  test("AG-169 of many workers that race for a session exactly one gets it, and the epoch grows by one", async () => {
    const tenant = await db.createTenant();
    for (let epoch = 1; epoch <= 5; epoch++) {
      const race = Array.from({ length: 10 }, (_, worker) => acquireLease(tenant.orgId, tenant.sessionId, `w${worker}`, 30_000));
      const won = (await Promise.all(race)).filter((lease) => lease !== null);
      assert.deepEqual(won, [{ epoch, nextSeq: 0, status: "idle", isDue: false }]);
      if (epoch % 2 === 0) await expire(tenant);
      else assert.equal(await releaseLease(tenant.orgId, tenant.sessionId, epoch), "released");
    }
  });

  test("REC-1 a lease that ran out cannot be renewed, and another worker takes it", async () => {
    const tenant = await db.createTenant();
    const { orgId, sessionId } = tenant;
    const first = await acquireLease(orgId, sessionId, "a", 30_000);
    assert.equal(await renewLease(orgId, sessionId, 1, 30_000), true);
    assert.equal(await acquireLease(orgId, sessionId, "b", 30_000), null);
    await expire(tenant);
    assert.equal(await renewLease(orgId, sessionId, first?.epoch ?? 0, 30_000), false);
    assert.equal((await acquireLease(orgId, sessionId, "b", 30_000))?.epoch, 2);
    assert.equal(await renewLease(orgId, sessionId, 1, 30_000), false);
    assert.equal(await releaseLease(orgId, sessionId, 1), "lost");
    assert.equal(await releaseLease(orgId, sessionId, 2), "released");
  });

  test("REC-1 the time to live is Postgres' time: a lease of 30 s ends 30 s from its now", async () => {
    const { orgId, sessionId } = await db.createTenant();
    await acquireLease(orgId, sessionId, "a", 30_000);
    const [row] = await db.asOwner<{ left: number }>(
      orgId,
      "SELECT EXTRACT(EPOCH FROM expires_at - now())::float8 AS left FROM session_leases WHERE session_id = $1",
      [sessionId],
    );
    assert.ok(row && row.left > 25 && row.left <= 30, `left ${row?.left}`);
  });

  test("SES-34 a session with an unconsumed command is not given back", async () => {
    const tenant = await db.createTenant();
    const { orgId, sessionId } = tenant;
    await acquireLease(orgId, sessionId, "a", 30_000);
    const { commandId } = await cancel(tenant);
    assert.equal(await releaseLease(orgId, sessionId, 1), "pending");
    assert.equal(await renewLease(orgId, sessionId, 1, 30_000), true);
    await db.asOwner(orgId, "UPDATE session_commands SET consumed_at = now() WHERE id = $1", [commandId]);
    assert.equal(await releaseLease(orgId, sessionId, 1), "released");
  });

  test("SES-34 a command that is being committed while its session is given back is seen: giving back waits for it", {
    timeout: 60_000,
  }, async () => {
    const { orgId, sessionId } = await db.createTenant();
    await acquireLease(orgId, sessionId, "a", 30_000);
    let outcome: ReturnType<typeof releaseLease> | undefined;
    await withOrg(orgId, async (tx) => {
      await insertCommand(tx, { orgId, sessionId, clientKey: "k", payload: cancelPayload });
      let settled = false;
      outcome = releaseLease(orgId, sessionId, 1).finally(() => {
        settled = true;
      });
      const waitsForThis = () =>
        tx.$queryRaw<
          { waits: boolean }[]
        >`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))) AS waits`;
      while (!settled && !(await waitsForThis())[0]?.waits) await new Promise(setImmediate);
    });
    assert.equal(await outcome, "pending");
  });
});

describe("commands", () => {
  test("SES-34 the same client key is the same command, also when both arrive at once", async () => {
    const tenant = await db.createTenant();
    const answers = await Promise.all(Array.from({ length: 6 }, () => cancel(tenant, "key")));
    assert.equal(new Set(answers.map(({ commandId }) => commandId)).size, 1);
    assert.equal(answers.filter(({ repeated }) => !repeated).length, 1);
    assert.equal(new Set(answers.map(({ wake }) => wake)).size, 6, "each carries a wake number of its own");
    assert.equal((await pendingCommands(tenant.orgId, tenant.sessionId)).length, 1);
  });

  test("SES-34 commands come in the order in which they were committed", async () => {
    const tenant = await db.createTenant();
    const ids: string[] = [];
    for (let index = 0; index < 12; index++) ids.push((await cancel(tenant)).commandId);
    assert.deepEqual(
      (await pendingCommands(tenant.orgId, tenant.sessionId)).map(({ id }) => id),
      ids,
    );
  });

  test("SC-T1 a session of another org reads as not there", async () => {
    const [mine, theirs] = [await db.createTenant(), await db.createTenant()];
    await assert.rejects(cancel({ ...mine, sessionId: theirs.sessionId }), (error) => isAppError(error, "NOT_FOUND"));
    await assert.rejects(cancel({ ...mine, orgId: theirs.orgId }), (error) => isAppError(error, "NOT_FOUND"));
    assert.deepEqual(await pendingCommands(mine.orgId, theirs.sessionId), []);
  });
});

describe("sessionsDue", () => {
  test("REC-3 finds commands nobody holds and holders that died, and nothing else", async () => {
    const tenant = await db.createTenant();
    const { orgId, workspaceId } = tenant;
    const of = (sessionId: Held["sessionId"]) => ({ ...tenant, sessionId });
    const add = async () => of((await db.createSession(orgId, { workspaceId })).sessionId);
    const [waiting, held, fresh, dead] = [await add(), await add(), await add(), await add()];
    for (const session of [waiting, held, fresh]) await cancel(session);
    await Promise.all([age(waiting), age(held)]);
    await acquireLease(orgId, held.sessionId, "w", 30_000);
    await acquireLease(orgId, dead.sessionId, "w", 30_000);
    await expire(dead);

    const due = await sessionsDue(orgId);
    assert.deepEqual(new Set(due.map(({ sessionId }) => sessionId)), new Set([waiting.sessionId, dead.sessionId]));
    assert.deepEqual(new Map(due.map(({ sessionId, wake }) => [sessionId, wake])).get(waiting.sessionId), 3, "a new wake number");
    assert.equal((await sessionsDue(orgId, { graceMs: 0 })).length, 3, "the fresh one is due after its grace");
    assert.deepEqual(await sessionsDue((await db.createTenant()).orgId), []);
  });

  test("CP-56 a session whose time has come is due until a holder clears it, and not before, nor while somebody holds it", async () => {
    const tenant = await db.createTenant();
    const { orgId, sessionId } = tenant;
    const lease = await acquireLease(orgId, sessionId, "a", 30_000);
    assert.ok(lease);
    const { epoch } = lease;
    const write = (wakeInMs: number | null) => appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [], patch: { wakeInMs } });
    const due = async () => (await sessionsDue(orgId)).map((session) => session.sessionId);
    await write(3_600_000);
    await releaseLease(orgId, sessionId, epoch);
    assert.deepEqual(await due(), []);
    await db.asOwner(orgId, "UPDATE sessions SET wake_at = now() - interval '1 second' WHERE id = $1", [sessionId]);
    assert.deepEqual([await due(), await due()], [[sessionId], [sessionId]]);
    const next = await acquireLease(orgId, sessionId, "b", 30_000);
    assert.deepEqual([next?.isDue, await due()], [true, []]);
    await appendEvents(orgId, sessionId, { epoch: epoch + 1, nextSeq: 0, events: [], patch: { status: "idle" } });
    assert.notEqual((await db.asOwner(orgId, "SELECT wake_at FROM sessions WHERE id = $1", [sessionId]))[0]?.wake_at, null);
    await appendEvents(orgId, sessionId, { epoch: epoch + 1, nextSeq: 0, events: [], patch: { wakeInMs: null } });
    await releaseLease(orgId, sessionId, epoch + 1);
    assert.deepEqual([await due(), (await acquireLease(orgId, sessionId, "c", 30_000))?.isDue], [[], false]);
  });
});
