import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAppError, type OrgId, type SessionEvent, type SessionId } from "@gantry/contracts";
import { testDatabase } from "@gantry/testing/db";
import { acquireLease, appendEvents, type EventRange, readEvents } from "../src/index.ts";

const db = await testDatabase();

async function sessionWith(count: number): Promise<{ orgId: OrgId; sessionId: SessionId }> {
  const { orgId, sessionId } = await db.createTenant();
  const lease = await acquireLease(orgId, sessionId, "w", 30_000);
  const events: SessionEvent[] = Array.from({ length: count }, (_, seq) => ({
    type: "turn/start",
    seq,
    time: seq,
    data: { turn: seq + 1 },
  }));
  await appendEvents(orgId, sessionId, { epoch: lease?.epoch ?? 0, nextSeq: 0, events });
  return { orgId, sessionId };
}

const corrupt = (error: unknown): boolean => isAppError(error, "SESSION_CORRUPT");

describe("readEvents", () => {
  test("ranges: from is inclusive, to exclusive, limit takes the first and last the last", async () => {
    const { orgId, sessionId } = await sessionWith(10);
    const seqs = async (range: EventRange) => (await readEvents(orgId, sessionId, range)).map(({ seq }) => seq);
    assert.deepEqual(await seqs({ from: 7 }), [7, 8, 9]);
    assert.deepEqual(await seqs({ from: 2, to: 4 }), [2, 3]);
    assert.deepEqual(await seqs({ last: 2 }), [8, 9]);
    assert.deepEqual(await seqs({ to: 5, last: 2 }), [3, 4]);
    assert.deepEqual(await seqs({ to: 1, last: 50 }), [0]);
    assert.deepEqual(await seqs({ from: 3, limit: 2 }), [3, 4]);
    assert.deepEqual(await seqs({ from: 9, last: 5 }), [9]);
    for (const whole of [{ to: 2 ** 40 }, { last: 2 ** 40 }, { limit: 2 ** 53 }, { from: -5 }])
      assert.equal((await seqs(whole)).length, 10);
    for (const empty of [{ from: 10 }, { from: 99 }, { to: 0 }, { from: 4, to: 4 }, { last: 0 }, { from: 2 ** 40 }])
      assert.deepEqual(await seqs(empty), []);
  });

  test("SES-28 a missing position is SESSION_CORRUPT, in the middle, at the start of the range and at the end", async () => {
    const { orgId, sessionId } = await sessionWith(6);
    const remove = (seq: number) => db.asOwner(orgId, "DELETE FROM session_events WHERE session_id = $1 AND seq = $2", [sessionId, seq]);
    await remove(3);
    await assert.rejects(readEvents(orgId, sessionId), corrupt);
    await assert.rejects(readEvents(orgId, sessionId, { from: 3 }), corrupt);
    await assert.rejects(readEvents(orgId, sessionId, { to: 4, last: 1 }), corrupt);
    assert.equal((await readEvents(orgId, sessionId, { from: 4 })).length, 2);
    await remove(5);
    await assert.rejects(readEvents(orgId, sessionId, { from: 4 }), corrupt);
  });

  test("SES-28 a payload that does not fit its type is SESSION_CORRUPT", async () => {
    const { orgId, sessionId } = await sessionWith(1);
    await db.asOwner(orgId, `UPDATE session_events SET data = '{"turn":"one"}' WHERE session_id = $1`, [sessionId]);
    await assert.rejects(readEvents(orgId, sessionId), corrupt);
  });

  test("AG-190 SES-28 a log of another format is refused: a newer one asks for an upgrade, for an older one there is no way", async () => {
    const { orgId, sessionId } = await sessionWith(1);
    const setVersion = (version: number) => db.asOwner(orgId, "UPDATE sessions SET version = $2 WHERE id = $1", [sessionId, version]);
    const refusal = (message: RegExp) => (error: unknown) => isAppError(error, "SESSION_UNSUPPORTED") && message.test(error.message);
    await setVersion(1);
    await assert.rejects(readEvents(orgId, sessionId), refusal(/newer release.*Upgrade/));
    await setVersion(-1);
    await assert.rejects(readEvents(orgId, sessionId), refusal(/^(?!.*[Uu]pgrade).*format -1/));
    await setVersion(0);
    assert.equal((await readEvents(orgId, sessionId)).length, 1);
  });

  test("SES-5 an unknown type is refused, unless its writer marked it as skippable", async () => {
    const { orgId, sessionId } = await sessionWith(2);
    await db.asOwner(orgId, "UPDATE session_events SET type = 'future/thing' WHERE session_id = $1 AND seq = 0", [sessionId]);
    await assert.rejects(readEvents(orgId, sessionId), (error) => isAppError(error, "SESSION_UNSUPPORTED"));
    await db.asOwner(orgId, "UPDATE session_events SET ignorable = true WHERE session_id = $1 AND seq = 0", [sessionId]);
    assert.deepEqual(
      (await readEvents(orgId, sessionId)).map(({ seq }) => seq),
      [1],
    );
    const all = await readEvents(orgId, sessionId, { keepUnknown: true });
    assert.deepEqual(all[0], { type: "future/thing", seq: 0, time: 0, data: {}, ignorable: true });
    assert.equal(all[1]?.seq, 1);
  });
});
