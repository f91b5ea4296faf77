import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError, type SessionEvent } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { acquireLease, appendEvents, expirePrompts, pendingCommands, readPrompt, sessionsDue, takeAnswer, withOrg } from "../src/index.ts";

const db = await testDatabase();
const binding = "a".repeat(64);
const asked = (seq: number, id: string): SessionEvent => ({
  type: "approval/asked",
  seq,
  time: 1,
  data: { id, toolName: "bash", callId: "c1" },
});
const prompt = (id: string, more: object = {}) => ({
  ...{ id, kind: "approval" as const, callId: "c1", toolName: "bash", shown: { arguments: "nul \u0000 in it" }, binding, ttlMs: 60_000 },
  ...more,
});
const odd = { callId: "nul\0 and half \ud800", toolName: "nul\0" };

async function leased() {
  const tenant = await db.createTenant();
  const lease = await acquireLease(tenant.orgId, tenant.sessionId, "worker-1", 30_000);
  assert.ok(lease);
  return { ...tenant, epoch: lease.epoch };
}

test("APR-5 a question is stored with the batch that asks it, and ended with the one that decides it", async () => {
  const { orgId, sessionId, epoch } = await leased();
  const id = newId();
  const stateOf = async () => (await readPrompt(orgId, sessionId, id))?.state ?? null;
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [asked(0, id)], prompts: { open: [prompt(id, odd)], close: [] } });
  assert.equal(await stateOf(), "pending");
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 1, events: [], prompts: { open: [prompt(id)], close: [] } });
  assert.equal(await stateOf(), "pending", "asked twice is asked once");
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 1, events: [], prompts: { open: [], close: ["of another kind", id] } });
  assert.equal(await stateOf(), "cancelled");
});

test("AG-020 a worker that lost its lease neither asks nor ends a question", async () => {
  const { orgId, sessionId, epoch } = await leased();
  const [known, other] = [newId(), newId()];
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [asked(0, known)], prompts: { open: [prompt(known)], close: [] } });
  for (const stale of [
    { epoch: epoch - 1, nextSeq: 1 },
    { epoch, nextSeq: 0 },
  ]) {
    const batch = { ...stale, events: [], prompts: { open: [prompt(other)], close: [known] } };
    await assert.rejects(appendEvents(orgId, sessionId, batch), (error) => isAppError(error, "LEASE_LOST"));
  }
  assert.deepEqual([(await readPrompt(orgId, sessionId, known))?.state, await readPrompt(orgId, sessionId, other)], ["pending", null]);
});

test("an answer stays when the session ends the question after it; another org reads nothing of it", async () => {
  const { orgId, sessionId, epoch, userId } = await leased();
  const id = newId();
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [asked(0, id)], prompts: { open: [prompt(id)], close: [] } });
  const answer = { kind: "approval", outcome: "allowed-once" } as const;
  const take = (more: object = {}) => withOrg(orgId, (tx) => takeAnswer(tx, { orgId, promptId: id, binding, answer, by: userId, ...more }));
  assert.equal(await take({ binding: "b".repeat(64) }), false);
  assert.equal(await take({ answer: { kind: "question", outcome: "dismissed" } }), false);
  assert.equal(await take(), true);
  assert.equal(await take(), false);
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 1, events: [], prompts: { open: [], close: [id] } });
  assert.deepEqual(await readPrompt(orgId, sessionId, id), { kind: "approval", state: "answered", binding, answer, decidedBy: userId });
  const stranger = await db.createTenant();
  assert.equal(await readPrompt(stranger.orgId, sessionId, id), null);
});

test("a question that ran out of time leaves one command, which wakes its session; the sweep may come twice", async () => {
  const { orgId, sessionId, epoch } = await leased();
  const [soon, later] = [newId(), newId()];
  const open = [prompt(soon, { ttlMs: 0 }), prompt(later)];
  await appendEvents(orgId, sessionId, { epoch, nextSeq: 0, events: [], prompts: { open, close: [] } });
  await Promise.all([expirePrompts(orgId), expirePrompts(orgId)]);
  await expirePrompts(orgId);
  assert.deepEqual(
    (await pendingCommands(orgId, sessionId)).map(({ payload }) => payload),
    [{ kind: "answer", promptId: soon }],
  );
  assert.deepEqual(
    [(await readPrompt(orgId, sessionId, soon))?.state, (await readPrompt(orgId, sessionId, later))?.state],
    ["expired", "pending"],
  );
});

test("a session that waits for a person and has no command is not due", async () => {
  const { orgId, sessionId, epoch } = await leased();
  await appendEvents(orgId, sessionId, {
    epoch,
    nextSeq: 0,
    events: [],
    prompts: { open: [prompt(newId())], close: [] },
    patch: { status: "waiting" },
  });
  await db.asOwner(orgId, "DELETE FROM session_leases WHERE session_id = $1", [sessionId]);
  assert.deepEqual(await sessionsDue(orgId, { graceMs: 0 }), []);
});
