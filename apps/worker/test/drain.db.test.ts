import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const holder = await startHolder(() => ({ text: "done" }), { budgets: { drainMs: 50, closeMs: 10_000 } });
const { addOrg, say, hold, events, deps } = holder;

const turns = async (ref: Ref) => (await events(ref)).filter(({ type }) => type === "turn/end").length;
const seeds = async (ref: Ref) => (await events(ref)).filter(({ type }) => type === "session/end-seed").length;
const leases = (ref: Ref) => withOrg(ref.orgId, (tx) => tx.sessionLease.count({ where: { sessionId: ref.sessionId } }));

/** A session that has had a turn and is kept loaded. */
async function loaded(addSession: () => Promise<Ref>, userId: UserId) {
  const ref = await addSession();
  await say(ref, userId, "hello");
  const held = hold(ref);
  await until(async () => (await turns(ref)) === 1, "the first turn");
  return { ref, held };
}

test("KN-109 after a change new sessions get a new root; when the drain limit ends, the old one's sessions move at a turn boundary and it closes", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const first = await loaded(addSession, userId);
  await withOrg(orgId, (tx) => tx.provider.updateMany({ where: { orgId }, data: { models: ["test", "more"] } }));
  const second = await loaded(addSession, userId);
  await first.held;
  await until(() => deps.roots.look(orgId).length === 1, "the old root's end");
  assert.deepEqual([await leases(first.ref), await leases(second.ref)], [0, 1]);

  await say(first.ref, userId, "more");
  void hold(first.ref);
  await until(async () => (await turns(first.ref)) === 2, "the turn on the new root");
  assert.equal(await seeds(first.ref), 1, "no turn was cut off");
  assert.equal(deps.roots.look(orgId).length, 1);
});

test("M-15 an org that may run no longer loses its sessions at once", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const { held } = await loaded(addSession, userId);
  await deps.roots.closeOrg(orgId);
  await held;
  assert.equal(deps.roots.look(orgId).length, 0);
});
