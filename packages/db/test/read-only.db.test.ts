import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandPayload, PresetId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import {
  acquireLease,
  appendEvents,
  insertCommand,
  putDownLease,
  readOnly,
  readSessionStart,
  releaseLease,
  sessionsDue,
  withOrg,
} from "../src/index.ts";

const db = await testDatabase();
const presetId = newId<PresetId>();
/** Text that looks like the command, with a character that Postgres' json refuses to read. */
const sent = { kind: "send", messageId: "m", text: '"kind":"select-preset" \0', target: "next-turn", wakeup: true, userId: "u" } as const;
const message: CommandPayload = { ...sent, userName: "Ada" };
const selection: CommandPayload = { kind: "select-preset", presetId, revision: 2, userId: "u" };

async function readOnlySession() {
  const tenant = await db.createTenant();
  const { orgId, sessionId } = tenant;
  const add = async (payload: CommandPayload) => {
    await withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey: newId(), payload }));
    await db.asOwner(orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [sessionId]);
  };
  const lease = await acquireLease(orgId, sessionId, "a", 30_000);
  assert.ok(lease);
  await appendEvents(orgId, sessionId, { ...lease, events: [], patch: { status: readOnly, problem: "gone" } });
  return { orgId, sessionId, lease, add };
}

test("what waits for a read-only session wakes nobody until a preset is selected", async () => {
  const { orgId, sessionId, lease, add } = await readOnlySession();
  await add(message);
  assert.equal(await releaseLease(orgId, sessionId, lease.epoch), "pending");
  assert.equal(await putDownLease(orgId, sessionId, lease.epoch), true);
  assert.deepEqual(await sessionsDue(orgId), []);
  await add(selection);
  assert.deepEqual(
    (await sessionsDue(orgId)).map((due) => due.sessionId),
    [sessionId],
  );
});

test("a preset that was selected while the holder gave up keeps it at work", async () => {
  const { orgId, sessionId, lease, add } = await readOnlySession();
  await add(selection);
  assert.equal(await putDownLease(orgId, sessionId, lease.epoch), false);
});

test("G-19 a switch moves the session to the other revision, with the batch that logs it", async () => {
  const { orgId, sessionId, lease } = await readOnlySession();
  const before = await readSessionStart(orgId, sessionId);
  assert.deepEqual([before.status, before.preset?.current, before.preset?.isBroken], [readOnly, before.presetRevision, false]);
  await appendEvents(orgId, sessionId, {
    ...lease,
    events: [],
    patch: { preset: { presetId, revision: 2 }, status: "idle", problem: null },
  });
  const { presetId: now, presetRevision, preset, status } = await readSessionStart(orgId, sessionId);
  assert.deepEqual([now, presetRevision, preset, status], [presetId, 2, null, "idle"]);
});
