import assert from "node:assert/strict";
import { test } from "node:test";
import { withOrg } from "@gantry/db";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const { addOrg, addPreset, say, hold, row, events } = await startHolder(() => ({ text: "done" }));
const completes = async (ref: Ref) =>
  until(async () => (await events(ref)).some((event) => event.type === "turn/end" && event.data.reason.kind === "completed"), "a turn");

test("CP-59 a preset saved before a plugin renamed a key: its session names plugin and field, the list shows it, and everything else runs", async () => {
  const { orgId, userId, addSession } = await addOrg();
  // as an earlier release took it: the plugin has these fields under other names by now
  const renamed = [
    { id: "persona", name: "persona", config: { intro: "You are brief." } },
    { id: "bash", name: "tool-bash", config: { maxOutput: 10 } },
  ];
  const pinned = await addPreset(orgId, "team-preset", renamed);
  const ref = await addSession(pinned);
  await say(ref, userId, "hello");
  await hold(ref);
  const shown = await row(ref);
  assert.equal(shown.status, "read-only");
  for (const part of [/"team-preset"/, /persona/, /intro/, /tool-bash|"bash"/, /maxOutput/]) assert.match(shown.problem ?? "", part);
  const preset = await withOrg(orgId, (tx) => tx.preset.findUniqueOrThrow({ where: { id: pinned.presetId } }));
  assert.equal(preset.brokenRevision, 1);
  assert.match(preset.brokenReason ?? "", /intro/);

  const others = [{ org: await addOrg() }, { org: { orgId, userId, addSession } }];
  for (const { org } of others) {
    const other = await org.addSession();
    await say(other, org.userId, "hello");
    void hold(other);
    await completes(other);
  }
});

test("CP-59 an org's layer with a renamed key is left aside by name, and sessions start on what stood before", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const layer = { orgId, profile: "web", kind: "org" };
  await withOrg(orgId, async (tx) => {
    const source = "- {id: llm-retry, config: {retries: 3}}";
    await tx.compositionRevision.create({ data: { ...layer, revision: 1, bundles: [], source } });
    await tx.compositionPointer.create({ data: { ...layer, revision: 1, previousRevision: 0 } });
  });
  const ref = await addSession();
  await say(ref, userId, "hello");
  void hold(ref);
  await completes(ref);
  const pointer = await withOrg(orgId, (tx) => tx.compositionPointer.findFirstOrThrow({ where: layer }));
  assert.match(pointer.problem ?? "", /llm-retry/);
  assert.match(pointer.problem ?? "", /retries/);
});
