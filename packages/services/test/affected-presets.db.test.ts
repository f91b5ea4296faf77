import assert from "node:assert/strict";
import { test } from "node:test";
import { withOrg } from "@gantry/db";
import { checkLayer } from "../src/composition/check-layer.ts";
import { saveLayer } from "../src/composition/save-layer.ts";
import { setRowEnabled } from "../src/plugin/set-row-enabled.ts";
import { checkPresetSource } from "../src/preset/check-preset-source.ts";
import { createPreset } from "../src/preset/create-preset.ts";
import { listPresets } from "../src/preset/list-presets.ts";
import { startComposition } from "./composition-support.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const off = "- id: token-meter\n  disabled: true\n";
const source = '- id: persona\n  name: persona\n  inject: [tokenMeter]\n  config: {prefix: "Be brief."}\n';

async function start() {
  const org = await startComposition(world);
  const { ctx, tenant } = org;
  await createPreset(ctx, { org: tenant.slug, slug: "meters", name: "Meters", source });
  const stateOf = async (slug: string) => (await listPresets(ctx)).find((preset) => preset.slug === slug);
  return { ...org, stateOf };
}

test("G-7 presets that a change would take away are named, and it needs a yes when the default or the installation's are among them", async () => {
  const { ctx, input, tenant, save, stateOf } = await start();
  await world.asOwner(
    tenant.orgId,
    "INSERT INTO settings (org_id, namespace, level, value, revision) VALUES ($1, 'presets', 'org', '{\"default\": \"meters\"}', 1)",
    [tenant.orgId],
  );
  const checked = await checkLayer(ctx, { ...input, source: off });
  assert.deepEqual([checked.problems, checked.affectedPresets.includes("meters")], [[], true]);
  await assert.rejects(save(off, 0), { code: "PRESETS_BREAK", message: /meters/ });
  const toggle = { ...input, row: "token-meter", name: "token-meter", enabled: false, expectedRevision: 0 };
  const refused = await setRowEnabled(ctx, toggle);
  assert.deepEqual([refused.saved, refused.code], [false, "PRESETS_BREAK"]);
  assert.equal((await stateOf("meters"))?.state, "ok");
  const forced = await setRowEnabled(ctx, { ...toggle, force: true });
  assert.deepEqual([forced.saved, forced.affectedPresets.includes("meters")], [true, true]);
  assert.match(forced.message ?? "", /next opened/);
  const lost = await stateOf("meters");
  assert.deepEqual([lost?.state, lost?.reasons.length], ["broken", 1]);
  assert.match(
    lost?.reasons[0] ?? "",
    /^persona needs tokenMeter, .*\(off by org@1\)/,
    "the stored revision is to blame, not the text that was asked about",
  );
  assert.equal((await checkPresetSource(ctx, { org: tenant.slug, slug: "meters", source })).problems[0]?.code, "SERVICE_MISSING");
  assert.deepEqual((await saveLayer(ctx, { ...input, source: "[]", expectedRevision: 1 })).affectedPresets, []);
  assert.equal((await stateOf("meters"))?.state, "ok", "it comes back by itself");
});

test("G-7 a worker's mark holds for the composition that it was made on", async () => {
  const { ctx, tenant, get, save, stateOf } = await start();
  const brokenOn = (await get()).dump.hash;
  const mark = { brokenRevision: 1, brokenReason: "persona: no such file", brokenOn };
  await withOrg(ctx.orgId, (tx) => tx.preset.updateMany({ where: { orgId: tenant.orgId, slug: "meters" }, data: mark }));
  assert.deepEqual((await stateOf("meters"))?.reasons, [mark.brokenReason]);
  await save("- id: llm-retry\n  config: { maxRetries: 2 }\n", 0);
  assert.equal((await stateOf("meters"))?.state, "ok");
});

test("M-13 a pointer knows what may come back: what was in force and started; nothing after a roll back", async () => {
  const { tenant, get, save, rollBack } = await start();
  const retries = (count: number) => `- id: llm-retry\n  config: { maxRetries: ${count} }\n`;
  const key = { orgId: tenant.orgId, profile: "web", kind: "org" };
  const previous = async () =>
    (await withOrg(tenant.orgId, (tx) => tx.compositionPointer.findUnique({ where: { orgId_profile_kind: key } })))?.previousRevision;
  await save(retries(1), 0);
  assert.equal(await previous(), 0);
  await save(retries(2), 1);
  assert.equal(await previous(), 1);
  await world.asOwner(tenant.orgId, "UPDATE composition_pointers SET problem_revision = 2, problem = 'it did not start'");
  assert.deepEqual((await get()).notStarted, { problem: "it did not start", serves: 1 });
  await save(retries(3), 2);
  assert.deepEqual([await previous(), (await get()).notStarted], [1, null], "what did not start is no way back");
  await rollBack(1, 3);
  assert.equal(await previous(), null);
});

test("G-7 a change of the composition has read-only sessions looked at again", async () => {
  const { tenant, save } = await start();
  const { sessionId, orgId } = tenant;
  await world.asOwner(orgId, "UPDATE sessions SET status = 'read-only' WHERE id = $1", [sessionId]);
  await save("- id: llm-retry\n  config: { maxRetries: 2 }\n", 0);
  const row = await withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } } }));
  assert.equal(row.tryAgain, true);
});
