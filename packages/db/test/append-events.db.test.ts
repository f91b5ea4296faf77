import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAppError, type SessionEvent } from "@gantry/contracts";
import { testDatabase } from "@gantry/testing/db";
import { acquireLease, appendEvents, insertCommand, pendingCommands, readEvents, withOrg } from "../src/index.ts";

const db = await testDatabase();

const turnStart = (seq: number): SessionEvent => ({ type: "turn/start", seq, time: 1_700_000_000_000 + seq, data: { turn: seq + 1 } });
const turns = (from: number, count: number): SessionEvent[] => Array.from({ length: count }, (_, index) => turnStart(from + index));
const lost = (error: unknown): boolean => isAppError(error, "LEASE_LOST");

async function leased() {
  const tenant = await db.createTenant();
  const lease = await acquireLease(tenant.orgId, tenant.sessionId, "worker-1", 30_000);
  assert.ok(lease);
  return { ...tenant, ...lease };
}

async function expireLease({ orgId, sessionId }: { orgId: Parameters<typeof db.asOwner>[0]; sessionId: string }): Promise<void> {
  await db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() - interval '1 second' WHERE session_id = $1", [sessionId]);
}

const sendPayload = { kind: "send", messageId: "m1", text: "hi", target: "next-turn", wakeup: true, userId: "u", userName: "Ada" } as const;

describe("appendEvents", () => {
  test("SES-30 what is appended is read back equal, with every optional field", async () => {
    const { orgId, sessionId, epoch } = await leased();
    const message = {
      id: "m1",
      role: "assistant" as const,
      content: [{ type: "text" as const, text: "ok" }],
      source: { kind: "plugin" as const, plugin: "p" },
    };
    const events: SessionEvent[] = [
      { type: "user/message", seq: 0, time: 5, data: { ...message, role: "user" }, surfaceOp: "append" },
      {
        type: "assistant/message",
        seq: 1,
        time: 5,
        data: { turn: 1, step: 1, message },
        surfaceOp: { op: "replace", start: 0, end: 0 },
        sourceEventSeqs: [0],
      },
      { type: "assistant/message", seq: 2, time: 4, data: { turn: 1, step: 2, message }, surfaceOp: "append", sourceEventSeqs: [] },
      { type: "todo/write", seq: 3, time: 6, data: { todos: [] }, ignorable: true },
    ];
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events });
    assert.deepEqual(await readEvents(orgId, sessionId), events);
  });

  test("SES-4 strings that jsonb would refuse survive: NUL, half a surrogate pair, quotes, backslashes", async () => {
    const { orgId, sessionId, epoch } = await leased();
    const content = 'NUL \0 half \ud800 "quoted" back\\slash {brace} \u2028 é 🚀';
    const events: SessionEvent[] = [{ type: "todo/write", seq: 0, time: 1, data: { todos: [{ content, status: "pending" }] } }];
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events, patch: { title: `t\0${content}` } });
    assert.deepEqual(await readEvents(orgId, sessionId), events);
  });

  test("AG-020 a worker whose epoch is stale is refused and nothing of its batch is written", async () => {
    const { orgId, sessionId, epoch } = await leased();
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: turns(0, 2) });
    const { commandId } = await withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey: "k", payload: sendPayload }));
    await expireLease({ orgId, sessionId });
    const successor = await acquireLease(orgId, sessionId, "worker-2", 30_000);
    assert.deepEqual(successor, { epoch: epoch + 1, nextSeq: 2, status: "idle", isDue: false });

    const stale = { epoch, nextSeq: 2, events: turns(2, 3), consume: [commandId], patch: { title: "stolen" } };
    await assert.rejects(appendEvents(orgId, sessionId, stale), lost);
    await assert.rejects(appendEvents(orgId, sessionId, stale), lost);

    assert.equal((await readEvents(orgId, sessionId)).length, 2);
    assert.deepEqual(
      (await pendingCommands(orgId, sessionId)).map(({ id }) => id),
      [commandId],
    );
    const session = await withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { id: sessionId } }));
    assert.deepEqual([session.title, session.nextSeq], [null, 2]);
  });

  test("SES-30 of two writers at the same position one wins and the log has one copy", async () => {
    const { orgId, sessionId, epoch } = await leased();
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: turns(0, 5) })),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.ok(results.every((result) => result.status === "fulfilled" || lost(result.reason)));
    assert.deepEqual(await readEvents(orgId, sessionId), turns(0, 5));
  });

  test("SES-32 events, consumed commands and readings change together", async () => {
    const { orgId, sessionId, epoch } = await leased();
    const { commandId } = await withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey: "k", payload: sendPayload }));
    const patch = { status: "running", title: "First", problem: "p", interruptions: 2 };
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: turns(0, 1), consume: [commandId], patch });
    assert.deepEqual(await pendingCommands(orgId, sessionId), []);
    const read = () =>
      withOrg(orgId, (tx) =>
        tx.session.findUniqueOrThrow({
          where: { id: sessionId },
          select: { status: true, title: true, problem: true, interruptions: true },
        }),
      );
    assert.deepEqual(await read(), patch);
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 1, events: [], patch: { problem: null } });
    assert.deepEqual(await read(), { ...patch, problem: null });
  });

  test("SES-22 a seed mark alone and a batch without events are no activity, whatever else is", async () => {
    const { orgId, sessionId, epoch } = await leased();
    const lastActivity = async () => {
      const session = await withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { id: sessionId } }));
      return session.lastActivityAt.getTime();
    };
    const before = new Date("2020-01-01T00:00:00Z");
    await db.asOwner(orgId, "UPDATE sessions SET last_activity_at = $2 WHERE id = $1", [sessionId, before]);
    const mark = (seq: number): SessionEvent => ({ type: "session/end-seed", seq, time: 1, data: {} });
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [mark(0)] });
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 1, events: [], patch: { status: "idle" } });
    assert.equal(await lastActivity(), before.getTime());
    await appendEvents(orgId, sessionId, { epoch, nextSeq: 1, events: [turnStart(1), mark(2)] });
    assert.ok((await lastActivity()) > before.getTime());
  });

  test("SES-3 a batch with a gap is refused before anything is sent", async () => {
    const { orgId, sessionId, epoch } = await leased();
    const batch = { epoch, nextSeq: 0, events: [turnStart(0), turnStart(2)] };
    await assert.rejects(appendEvents(orgId, sessionId, batch), (error) => isAppError(error, "SESSION_REJECTED_EVENT"));
    assert.deepEqual(await readEvents(orgId, sessionId), []);
  });

  test("SC-T2 another org's session cannot be written or read, and reads as not there", async () => {
    const { sessionId, epoch } = await leased();
    const { orgId: stranger } = await db.createTenant();
    await assert.rejects(appendEvents(stranger, sessionId, { epoch, nextSeq: 0, events: turns(0, 1) }), lost);
    await assert.rejects(readEvents(stranger, sessionId), (error) => isAppError(error, "NOT_FOUND"));
    await assert.rejects(acquireLease(stranger, sessionId, "w", 1_000), (error) => isAppError(error, "NOT_FOUND"));
  });
});
