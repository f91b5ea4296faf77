import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runForOrg } from "@gantry/agent";
import type { SessionEvent } from "@gantry/contracts";
import { sessionsDue } from "@gantry/db";
import { newId } from "@gantry/platform";
import { wakeSession } from "../src/handlers/wake-session.ts";
import { OrgRoots } from "../src/roots/org-roots.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

/** what the provider asks to wait for, in seconds, by the words of the first message */
const waits: { readonly [text: string]: number } = { "an hour": 3_600, "a moment": 4 };
const asked = new Map<string, number[]>();

const holder = await startHolder(({ messages }) => {
  const text = messages.flatMap((message) => (message.role === "user" && message.text in waits ? [message.text] : []))[0];
  if (text === undefined) return { text: "done" };
  const times = asked.get(text) ?? [];
  asked.set(text, [...times, performance.now()]);
  return times.length > 0
    ? { text: "went on" }
    : { fault: { kind: "status", status: 429, retryAfter: waits[text] ?? 0, message: "slow down" } };
});
const { db, deps, addOrg, say, hold, row, events } = holder;

/** Another worker takes the session: the one before has stopped renewing its lease. */
async function takeOver(ref: Ref): Promise<void> {
  const before = (await row(ref)).leaseEpoch;
  await db.asOwner(ref.orgId, "UPDATE session_leases SET expires_at = now() WHERE session_id = $1", [ref.sessionId]);
  const stopping = new AbortController();
  const roots = new OrgRoots(db.env, deps.log);
  const own = { ...deps, roots, workerId: newId(), holding: new Set<Ref["sessionId"]>(), draining: stopping.signal, stop: stopping.signal };
  const held = runForOrg(ref.orgId, () => wakeSession(own, ref, { takenOver: false }));
  after(async () => {
    stopping.abort();
    await held;
    await roots.close();
  });
  await until(async () => (await row(ref)).leaseEpoch > before, "the takeover");
}
/** How many tickets a sweep gives for a session. */
const woken = async ({ orgId, sessionId }: Ref): Promise<number> =>
  (await sessionsDue(orgId)).filter((due) => due.sessionId === sessionId).length;
const count = (log: readonly SessionEvent[], type: SessionEvent["type"]) => log.filter((event) => event.type === type).length;
const ends = (log: readonly SessionEvent[]) => log.flatMap((event) => (event.type === "turn/end" ? [event.data.reason.kind] : []));

test("CP-56 a wait that a provider asks for outlives its worker: the next one asks once, and not before it is over", {
  timeout: 180_000,
}, async () => {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "a moment");
  void hold(ref);
  await until(async () => count(await events(ref), "llm/retry") === 1, "the wait");
  await takeOver(ref);
  await until(async () => ends(await events(ref)).at(-1) === "completed", "the answer");
  const [first = 0, second = 0, ...more] = asked.get("a moment") ?? [];
  assert.deepEqual(more, []);
  assert.ok(second - first >= 4_000, `asked again after ${Math.round(second - first)} ms`);
  assert.deepEqual(ends(await events(ref)), ["interrupted", "completed"]);
});

test("CP-56 a 429 with an hour ends the turn and says so; nobody asks again, whichever worker has the session, until the time is over; then it goes on once", {
  timeout: 180_000,
}, async () => {
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "an hour");
  void hold(ref);
  await until(async () => (await row(ref)).status === "failed", "the end of the turn");
  assert.match((await row(ref)).problem ?? "", /asks to wait 60 minutes.*goes on by itself/);
  const end = (await events(ref)).find((event) => event.type === "turn/end");
  assert.equal(end?.type === "turn/end" && end.data.reason.kind === "error" ? end.data.reason.error.providerRetryAfterMs : 0, 3_600_000);
  for (let worker = 0; worker < 2; worker += 1) await takeOver(ref);
  // a whole turn of another session is the clock: this one would have asked long since
  const other = await addSession();
  await say(other, userId, "hello");
  void hold(other);
  await until(async () => ends(await events(other)).at(-1) === "completed", "a turn beside it");
  assert.deepEqual([asked.get("an hour")?.length, await woken(ref)], [1, 0]);
  await db.asOwner(ref.orgId, "UPDATE sessions SET wake_at = now() WHERE id = $1", [ref.sessionId]);
  await until(async () => (await woken(ref)) > 0, "the sweep to find it");
  void hold(ref); // its ticket: nobody lingers after a turn that failed
  await until(async () => ends(await events(ref)).at(-1) === "completed", "the answer");
  assert.deepEqual([ends(await events(ref)), asked.get("an hour")?.length], [["error", "completed"], 2]);
  assert.deepEqual([(await row(ref)).wakeAt, await woken(ref)], [null, 0]);
});
