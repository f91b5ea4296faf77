import assert from "node:assert/strict";
import { test } from "node:test";
import { withOrg } from "@gantry/db";
import { sealSecret } from "@gantry/platform";
import { startScriptedModel } from "@gantry/testing";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const holder = await startHolder(() => ({ text: "done" }));
const { db, model, addOrg, say, hold, events } = holder;
const ends = async (ref: Ref) => (await events(ref)).flatMap((event) => (event.type === "turn/end" ? [event.data.reason] : []));
const ended = (ref: Ref, turns: number) => until(async () => (await ends(ref)).length === turns, `the end of turn ${turns}`);

test("DSK-8 a session at work does not send a new key to the address that its provider had before, says what happened, and goes on at the new one", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession();
  await say(ref, userId, "one");
  void hold(ref);
  await ended(ref, 1);

  const moved = await startScriptedModel(() => ({ text: "moved" }));
  await withOrg(orgId, async (tx) => {
    const { id } = await tx.provider.findFirstOrThrow({ where: { orgId }, select: { id: true } });
    const secret = new Uint8Array(sealSecret(db.env.GANTRY_MASTER_KEY, { orgId, id }, "sk-for-the-new-address"));
    await tx.provider.update({ where: { id }, data: { baseUrl: moved.url, secret } });
  });
  await say(ref, userId, "two");
  await ended(ref, 2);
  assert.deepEqual(
    model.requests.filter(({ key }) => key !== null),
    [],
  );
  const reason = (await ends(ref)).at(-1);
  assert.match(reason?.kind === "error" ? reason.error.message : "", /was changed or removed.*again/);

  await until(() => !holder.deps.holding.has(ref.sessionId), "the session to be given back");
  await say(ref, userId, "three");
  void hold(ref);
  await ended(ref, 3);
  assert.deepEqual((await ends(ref)).at(-1), { kind: "completed" });
  assert.equal(moved.requests.at(-1)?.key, "sk-for-the-new-address");
  await moved.close();
});

test("DSK-8 a session whose provider was removed goes on with the message after it was added again", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession();
  await withOrg(orgId, (tx) => tx.provider.deleteMany({ where: { orgId } }));
  await say(ref, userId, "one");
  void hold(ref);
  await ended(ref, 1);
  assert.equal((await ends(ref)).at(-1)?.kind, "error");
  await until(() => !holder.deps.holding.has(ref.sessionId), "the session to be given back");

  await db.createProvider(orgId, { slug: "scripted", kind: "openai_compatible", baseUrl: model.url, models: ["test"] });
  await say(ref, userId, "two");
  void hold(ref);
  await ended(ref, 2);
  assert.deepEqual((await ends(ref)).at(-1), { kind: "completed" });
});
