import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { acquireLease, appendEvents, releaseLease } from "@gantry/db";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const { db, addOrg, say, hold, row, events, waiting } = await startHolder(() => ({ text: "done" }));
const timeout = 60_000;
const isAnswered = async (ref: Ref) => (await events(ref)).some(({ type }) => type === "assistant/message");

/** A session whose log has a turn and, behind it, an event of a type that this release does not know. */
async function fromNewerRelease({ isIgnorable }: { isIgnorable: boolean }) {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  const { orgId, sessionId } = ref;
  const lease = (await acquireLease(orgId, sessionId, "w", 30_000)) ?? assert.fail();
  const log: SessionEvent[] = [
    { type: "turn/start", seq: 0, time: 1, data: { turn: 1 } },
    { type: "turn/end", seq: 1, time: 1, data: { turn: 1, reason: { kind: "completed" } } },
    { type: "feedback/record", seq: 2, time: 1, data: { text: "of a later release" }, ...(isIgnorable && { ignorable: true }) },
  ];
  await appendEvents(orgId, sessionId, { ...lease, events: log });
  await releaseLease(orgId, sessionId, lease.epoch);
  await retype(ref, "future/thing");
  await say(ref, userId, "go on");
  return ref;
}
const retype = ({ orgId, sessionId }: Ref, type: string) =>
  db.asOwner(orgId, "UPDATE session_events SET type = $2 WHERE session_id = $1 AND seq = 2", [sessionId, type]);

test("AG-190 SES-5 what a newer release wrote as skippable keeps its place, and the session goes on behind it", { timeout }, async () => {
  const ref = await fromNewerRelease({ isIgnorable: true });
  void hold(ref);
  await until(() => isAnswered(ref), "the answer");
  const seqs = (await events(ref)).map(({ seq }) => seq);
  assert.deepEqual(seqs.slice(0, 3), [0, 1, 3]);
  assert.deepEqual(await db.asOwner(ref.orgId, "SELECT type FROM session_events WHERE session_id = $1 AND seq = 2", [ref.sessionId]), [
    { type: "future/thing" },
  ]);
});

test("AG-190 what it did not mark is not guessed at: people read that an upgrade is needed, and what they wrote waits for it", {
  timeout,
}, async () => {
  const ref = await fromNewerRelease({ isIgnorable: false });
  for (const _ of [1, 2]) await assert.rejects(hold(ref), { code: "SESSION_UNSUPPORTED" });
  const { status, problem, nextSeq } = await row(ref);
  assert.deepEqual([status, nextSeq, await waiting(ref)], ["failed", 3, ["send"]]);
  assert.match(problem ?? "", /newer release.*[Uu]pgrade/);
  await retype(ref, "feedback/record"); // as if this were that release
  void hold(ref);
  await until(() => isAnswered(ref), "the answer");
  assert.equal((await row(ref)).problem, null);
});
