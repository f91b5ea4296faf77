import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AppError, isAppError, type PutFeedback } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { answers, stepEnd, stepStart, turnEnd, turnStart } from "@gantry/testing/log-builder";
import { deleteFeedback } from "../src/feedback/delete-feedback.ts";
import { listFeedback } from "../src/feedback/list-feedback.ts";
import { putFeedback } from "../src/feedback/put-feedback.ts";
import { forkSession } from "../src/session/fork/fork-session.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();

async function start() {
  const tenant = await world.createTenant();
  await writeLog(tenant, [turnStart(), stepStart(), answers(), stepEnd(), turnEnd()]);
  const ctx = world.contextOf(tenant);
  const place = { org: tenant.slug, sessionId: tenant.sessionId, messageId: "a-1" };
  const put = (more: Partial<PutFeedback> = {}) => putFeedback(ctx, { ...place, rating: "positive", ifVersion: null, ...more });
  const remove = (ifVersion: string | null) => deleteFeedback(ctx, { ...place, ifVersion });
  const list = () => listFeedback(ctx, { org: tenant.slug, sessionId: tenant.sessionId });
  return { tenant, ctx, place, put, remove, list };
}

const reason = (wanted: string) => (error: unknown) => isAppError(error) && error.data?.reason === wanted;

describe("feedback on answers", () => {
  test("FBK-1 it is stored, changed by version and taken back; each of it once in the audit trail", async () => {
    const { put, remove, list, tenant } = await start();
    const first = await put({ note: "  kept as written\n" });
    assert.deepEqual([first.rating, first.note], ["positive", "  kept as written\n"]);
    const second = await put({ rating: "negative", ifVersion: first.version });
    assert.notEqual(second.version, first.version);
    assert.deepEqual(await list(), [second]);
    assert.deepEqual(await put({ rating: "negative", ifVersion: second.version }), second, "the same again keeps its version");
    await remove(second.version);
    await remove(second.version);
    await remove(null);
    assert.deepEqual(await list(), []);
    assert.deepEqual(
      (await world.audit(tenant.orgId)).map(({ action }) => action),
      ["feedback.put", "feedback.put", "feedback.delete"],
    );
  });

  test("FBK-1 a conflict tells what is stored, or that nothing is", async () => {
    const { put, remove } = await start();
    const { version } = await put({ note: "mine" });
    const dataOf = (error: AppError) => error.data;
    const stored = { reason: "version-conflict", isStored: true, version, rating: "positive", note: "mine" };
    assert.deepEqual(await put({ rating: "negative" }).catch(dataOf), stored);
    assert.deepEqual(await remove(newId()).catch(dataOf), stored);
    assert.deepEqual(await remove(null).catch(dataOf), stored);
    await remove(version);
    assert.deepEqual(await put({ ifVersion: version }).catch(dataOf), { reason: "version-conflict", isStored: false });
  });

  test("AG-243 what was deleted and written anew is not overwritten with the old version", async () => {
    const { put, remove, list } = await start();
    const old = await put();
    await remove(old.version);
    const fresh = await put();
    await assert.rejects(put({ rating: "negative", ifVersion: old.version }), reason("version-conflict"));
    await assert.rejects(remove(old.version), reason("version-conflict"));
    assert.deepEqual(await list(), [fresh]);
  });

  test("AG-243 of many writers with the same version one wins", async () => {
    const { put, list } = await start();
    for (const ifVersion of [null, (await put({ note: "first" })).version]) {
      const writes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => put({ note: `writer ${n}`, ifVersion })));
      const won = writes.flatMap((write) => (write.status === "fulfilled" ? [write.value] : []));
      assert.equal(won.length, ifVersion === null ? 0 : 1);
    }
    const other = await start();
    const writes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => other.put({ note: `writer ${n}` })));
    assert.equal(writes.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual([(await list()).length, (await other.list()).length], [1, 1]);
  });

  test("FBK-1 notes are checked first, in bytes of UTF-8", async () => {
    const { put } = await start();
    const sessionId = newId<PutFeedback["sessionId"]>();
    await assert.rejects(put({ note: " \n", sessionId }), reason("note-blank"));
    const error = await put({ note: "🙂".repeat(2_049), sessionId }).catch((cause: AppError) => cause.data);
    assert.deepEqual(error, { reason: "note-too-large", maxBytes: 8_192, actualBytes: 8_196, field: "note" });
    assert.equal((await put({ note: "🙂".repeat(2_048) })).note?.length, 4_096);
  });

  test("AG-243 only a stored answer with content can be judged", async () => {
    const { put, tenant, place, ctx } = await start();
    const replaced = { ...answers(undefined, { text: "again" }), surfaceOp: { op: "replace", start: 2, end: 2 } as const };
    const empty = answers(undefined, { text: "" });
    (empty.data as { message: { id: string } }).message.id = "empty";
    (replaced.data as { message: { id: string } }).message.id = "replaced";
    await writeLog(tenant, [turnStart(2), stepStart(2), empty, { ...replaced, sourceEventSeqs: [2] }]);
    for (const messageId of ["empty", "replaced", "u-2", 'a-1","x":"', "not yet stored"])
      await assert.rejects(put({ messageId }), reason("target-not-found"), messageId);
    const other = await world.createTenant();
    for (const sessionId of [other.sessionId, newId<PutFeedback["sessionId"]>()])
      await assert.rejects(putFeedback(ctx, { ...place, sessionId, rating: "positive", ifVersion: null }), reason("session-not-found"));
  });

  test("FBK-1 each person has their own, and a fork has none", async () => {
    const { put, tenant, ctx, place } = await start();
    await put();
    const { userId } = await world.createUser();
    const colleague = world.contextOf({ orgId: tenant.orgId, userId });
    assert.deepEqual(await listFeedback(colleague, place), []);
    await putFeedback(colleague, { ...place, rating: "negative", ifVersion: null });
    const { sessionId } = await forkSession(ctx, { org: tenant.slug, sessionId: tenant.sessionId, clientKey: newId() });
    assert.deepEqual(await listFeedback(ctx, { org: tenant.slug, sessionId }), []);
  });
});
