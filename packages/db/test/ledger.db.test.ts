import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError, type SessionEvent } from "@gantry/contracts";
import { testDatabase } from "@gantry/testing/db";
import { acquireLease, appendEvents, dispatchedCalls } from "../src/index.ts";

const db = await testDatabase();
const call = (seq: number): SessionEvent => ({
  type: "tool/call",
  seq,
  time: 1,
  data: { turn: 1, step: 1, callId: `c${seq}`, name: "bash", arguments: "{}" },
});

async function leased() {
  const tenant = await db.createTenant();
  const lease = await acquireLease(tenant.orgId, tenant.sessionId, "worker-1", 30_000);
  assert.ok(lease);
  return { ...tenant, epoch: lease.epoch };
}

test("REC-15 a call is in the ledger from the barrier before its body until its result", async () => {
  const { orgId, sessionId, epoch } = await leased();
  const open = () => dispatchedCalls(orgId, sessionId, 0);
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [call(0), call(1)] });
  assert.deepEqual(await open(), [], "an event alone is no dispatch");
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 2, events: [call(2)], ledger: { dispatched: [0, 1], finished: [] } });
  assert.deepEqual(await open(), [0, 1]);
  assert.deepEqual(await dispatchedCalls(orgId, sessionId, 1), [1]);
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 3, events: [], ledger: { dispatched: [2], finished: [0, 2] } });
  assert.deepEqual(await open(), [1]);
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 3, events: [], ledger: { dispatched: [2], finished: [1] } });
  assert.deepEqual(await open(), [], "what has its result does not begin again");
});

test("AG-020 a worker that lost its lease enters nothing into the ledger, and another org reads nothing of it", async () => {
  const { orgId, sessionId, epoch } = await leased();
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [call(0)], ledger: { dispatched: [0], finished: [] } });
  const stale = { epoch: epoch - 1, nextSeq: 1, events: [call(1)], ledger: { dispatched: [1], finished: [0] } };
  await assert.rejects(appendEvents(orgId, sessionId, stale), (error) => isAppError(error, "LEASE_LOST"));
  assert.deepEqual(await dispatchedCalls(orgId, sessionId, 0), [0]);
  const stranger = await db.createTenant();
  assert.deepEqual(await dispatchedCalls(stranger.orgId, sessionId, 0), []);
});
