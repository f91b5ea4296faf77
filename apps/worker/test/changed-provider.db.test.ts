import assert from "node:assert/strict";
import { test } from "node:test";
import { withOrg } from "@gantry/db";
import { sealSecret } from "@gantry/platform";
import { startScriptedModel } from "@gantry/testing";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const { db, model, addOrg, say, hold, events } = await startHolder(() => ({ text: "done" }));
const ends = async (ref: Ref) => (await events(ref)).flatMap((event) => (event.type === "turn/end" ? [event.data.reason] : []));
const ended = (ref: Ref, turns: number) => until(async () => (await ends(ref)).length === turns, `the end of turn ${turns}`);

test("DSK-8 a session at work does not send a new key to the address that its provider had before, and says what happened", async () => {
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
  await moved.close();
  assert.deepEqual(
    model.requests.filter(({ key }) => key !== null),
    [],
  );
  const reason = (await ends(ref)).at(-1);
  assert.match(reason?.kind === "error" ? reason.error.message : "", /was changed or removed.*again/);
});
