import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAppError, type OrgId, type SessionEvent, type SessionId } from "@gantry/contracts";
import { testDatabase } from "@gantry/testing/db";
import { factories } from "@gantry/testing/db-factories";
import { acquireLease, appendEvents, dispatchedCalls, insertCommand, pendingCommands, readEvents, withOrg } from "../src/index.ts";

const db = await testDatabase();
const lost = (error: unknown): boolean => isAppError(error, "LEASE_LOST");
const call = (seq: number): SessionEvent => ({
  type: "tool/call",
  seq,
  time: 1,
  data: { turn: 1, step: 1, callId: `c${seq}`, name: "bash", arguments: "{}" },
});
const command = { kind: "send", messageId: "m1", text: "hi", target: "next-turn", wakeup: true, userId: "u", userName: "Ada" } as const;

type Held = { readonly orgId: OrgId; readonly sessionId: SessionId; readonly epoch: number };

/** So many sessions of one org, each with its lease. */
async function orgWith(count: number): Promise<Held[]> {
  const { orgId, workspaceId, userId } = await db.createTenant();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { sessionId } = await factories.createSession(orgId, { workspaceId, createdBy: userId });
      return { orgId, sessionId, epoch: (await acquireLease(orgId, sessionId, "worker-1", 30_000))?.epoch ?? 0 };
    }),
  );
}

const write = ({ orgId, sessionId, epoch }: Held, nextSeq = 0) =>
  appendEvents(orgId, sessionId, { epoch, nextSeq, events: [call(nextSeq)], ledger: { dispatched: [nextSeq], finished: [] } });

/** The transactions that wrote these sessions' events. */
async function transactionsOf(held: readonly Held[]): Promise<Set<string>> {
  const found = await Promise.all(
    held.map(({ orgId, sessionId }) =>
      db.asOwner(orgId, "SELECT DISTINCT xmin::text AS tx FROM session_events WHERE session_id = $1", [sessionId]),
    ),
  );
  return new Set(found.flat().map((row) => String((row as { tx: string }).tx)));
}

describe("batches of several sessions", () => {
  test("SES-30 what the sessions of an org have ready is committed in one transaction, each at its own place", async () => {
    const sessions = await orgWith(12);
    await Promise.all(sessions.map((session) => write(session)));
    await Promise.all(sessions.map((session) => write(session, 1)));
    const transactions = await transactionsOf(sessions);
    assert.ok(transactions.size <= 4, `${transactions.size} transactions for 24 batches`);
    for (const { orgId, sessionId } of sessions) {
      assert.deepEqual(await readEvents(orgId, sessionId), [call(0), call(1)]);
      assert.deepEqual(await dispatchedCalls(orgId, sessionId, 0), [0, 1]);
    }
  });

  test("AG-020 a session that was taken over is refused, and its neighbours in the same group are written", async () => {
    const [stale, ...others] = (await orgWith(5)) as [Held, ...Held[]];
    const { orgId, sessionId } = stale;
    const { commandId } = await withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey: "k", payload: command }));
    await db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() - interval '1 second' WHERE session_id = $1", [sessionId]);
    assert.equal((await acquireLease(orgId, sessionId, "worker-2", 30_000))?.epoch, stale.epoch + 1);

    const { epoch } = stale;
    const ledger = { dispatched: [0], finished: [] };
    const [refused, ...written] = await Promise.allSettled([
      appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [call(0)], consume: [commandId], patch: { title: "stolen" }, ledger }),
      ...others.map((session) => write(session)),
    ]);
    assert.ok(refused?.status === "rejected" && lost(refused.reason));
    assert.ok(written.every(({ status }) => status === "fulfilled"));
    assert.deepEqual(await readEvents(orgId, sessionId), []);
    assert.deepEqual(await dispatchedCalls(orgId, sessionId, 0), []);
    assert.deepEqual((await pendingCommands(orgId, sessionId)).length, 1);
    const row = await withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { id: sessionId } }));
    assert.deepEqual([row.title, row.nextSeq], [null, 0]);
    for (const other of others) assert.equal((await readEvents(orgId, other.sessionId)).length, 1);
  });

  test("SC-T2 a batch in a group consumes commands of its own session only", async () => {
    const [mine, neighbour] = (await orgWith(2)) as [Held, Held];
    const { orgId } = mine;
    const { commandId } = await withOrg(orgId, (tx) =>
      insertCommand(tx, { orgId, sessionId: neighbour.sessionId, clientKey: "k", payload: command }),
    );
    await Promise.all([
      appendEvents(orgId, mine.sessionId, { epoch: mine.epoch, nextSeq: 0, events: [call(0)], consume: [commandId] }),
      write(neighbour),
    ]);
    assert.equal((await pendingCommands(orgId, neighbour.sessionId)).length, 1);
  });

  test("SES-30 a batch that Postgres does not take fails alone", async () => {
    const [broken, ...others] = (await orgWith(4)) as [Held, ...Held[]];
    const { orgId, sessionId, epoch } = broken;
    const tooLate: SessionEvent = { ...call(0), time: 1e30 };
    const [refused, ...written] = await Promise.allSettled([
      appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [tooLate] }),
      ...others.map((session) => write(session)),
    ]);
    assert.ok(refused?.status === "rejected" && !lost(refused.reason));
    assert.ok(written.every(({ status }) => status === "fulfilled"));
    await write(broken); // its log is where it was
    assert.deepEqual(await readEvents(orgId, sessionId), [call(0)]);
  });

  test("SES-30 nobody waits for a neighbour whose session is locked, and that one is written when the lock is gone", async () => {
    const [locked, ...others] = (await orgWith(4)) as [Held, ...Held[]];
    const { orgId, sessionId } = locked;
    let waiting: Promise<void> | undefined;
    await withOrg(orgId, async (tx) => {
      await tx.$executeRaw`UPDATE sessions SET wakes = wakes + 1 WHERE org_id = ${orgId}::uuid AND id = ${sessionId}::uuid`;
      waiting = write(locked);
      await Promise.all(others.map((session) => write(session)));
      await Promise.all(others.map((session) => write(session, 1)));
      assert.deepEqual(await readEvents(orgId, sessionId), []);
    });
    await waiting;
    assert.deepEqual(await readEvents(orgId, sessionId), [call(0)]);
  });

  test("SES-30 two batches of one session that are handed over at once are written in their order", async () => {
    const [session, other] = (await orgWith(2)) as [Held, Held];
    await Promise.all([write(session), write(other), write(session, 1)]);
    assert.deepEqual(await readEvents(session.orgId, session.sessionId), [call(0), call(1)]);
  });

  test("SC-T2 orgs share no transaction, and the failure of one is not the other's", async () => {
    const [[broken, mine], [theirs]] = (await Promise.all([orgWith(2), orgWith(1)])) as [[Held, Held], [Held]];
    const { orgId, sessionId, epoch } = broken;
    const results = await Promise.allSettled([
      appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [{ ...call(0), time: 1e30 }] }),
      write(mine),
      write(theirs),
      // another org's session, under this org's name
      appendEvents(orgId, theirs.sessionId, { epoch: theirs.epoch, nextSeq: 0, events: [call(0)] }),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["rejected", "fulfilled", "fulfilled", "rejected"],
    );
    assert.ok(results[3]?.status === "rejected" && lost(results[3].reason));
    assert.equal((await transactionsOf([mine, theirs])).size, 2);
    assert.equal((await readEvents(theirs.orgId, theirs.sessionId)).length, 1);
  });
});
