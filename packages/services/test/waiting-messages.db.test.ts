import assert from "node:assert/strict";
import { test } from "node:test";
import { insertCommand, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { getSession } from "../src/session/get-session.ts";
import { selectPreset } from "../src/session/select-preset.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

test("a message that no worker has taken up is told with the session, and a preset can no longer be selected behind it", async () => {
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant);
  const { orgId, sessionId, userId } = tenant;
  const input = { org: tenant.slug, sessionId };
  assert.deepEqual((await getSession(ctx, input)).waiting, []);
  const payload = { kind: "send", messageId: "m1", text: "hello", target: "next-turn", wakeup: true, userId, userName: "Ada" } as const;
  await withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey: newId(), payload }));
  assert.deepEqual((await getSession(ctx, input)).waiting, [{ messageId: "m1", author: "Ada", text: "hello" }]);
  await assert.rejects(selectPreset(ctx, { ...input, preset: "standard", clientKey: newId() }), { code: "CONFLICT" });
  await world.asOwner(orgId, "UPDATE session_commands SET consumed_at = now() WHERE session_id = $1", [sessionId]);
  assert.deepEqual((await getSession(ctx, input)).waiting, []);
});
