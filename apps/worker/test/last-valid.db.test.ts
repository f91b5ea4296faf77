import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrgId } from "@gantry/contracts";
import { sessionsDue, withOrg } from "@gantry/db";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const holder = await startHolder(() => ({ text: "done" }));
const { addOrg, addPreset, say, hold, row, events, waiting } = holder;

const key = (orgId: OrgId) => ({ orgId, profile: "web", kind: "org" });
/** Puts a text in force as a release left it, without any check. */
const store = (orgId: OrgId, revision: number, source: string, previousRevision: number | null) =>
  withOrg(orgId, async (tx) => {
    await tx.compositionRevision.create({ data: { ...key(orgId), revision, bundles: [], source } });
    const at = { revision, previousRevision };
    await tx.compositionPointer.upsert({ where: { orgId_profile_kind: key(orgId) }, create: { ...key(orgId), ...at }, update: at });
  });
const pointer = (orgId: OrgId) => withOrg(orgId, (tx) => tx.compositionPointer.findUnique({ where: { orgId_profile_kind: key(orgId) } }));
const ended = async (ref: Ref) => (await events(ref)).filter(({ type }) => type === "turn/end").length;
const answered = (ref: Ref, turns = 1) => until(async () => (await ended(ref)) === turns, "the end of the turn");

test("M-13 a layer that does not start leaves the one before in force, its admins see why, and the note goes when it starts", async () => {
  const { orgId, userId, addSession } = await addOrg();
  await store(orgId, 1, "- id: llm-retry\n  config: { maxRetries: 2 }\n", 0);
  await store(orgId, 2, "not: a list", 1);
  const ref = await addSession();
  await say(ref, userId, "hello");
  void hold(ref);
  await answered(ref);
  const noted = await pointer(orgId);
  assert.deepEqual([noted?.revision, noted?.problemRevision], [2, 2]);
  assert.match(noted?.problem ?? "", /Revision 2 cannot be read/);
  await store(orgId, 3, "[]", 1);
  await withOrg(orgId, (tx) => tx.compositionPointer.updateMany({ where: key(orgId), data: { problemRevision: 3, problem: "earlier" } }));
  const next = await addSession();
  await say(next, userId, "hello");
  void hold(next);
  await answered(next);
  const cleared = await pointer(orgId);
  assert.deepEqual([cleared?.problemRevision, cleared?.problem], [null, null]);
});

test("what keeps a session from having an agent is on its row at once, and what was written stays", async () => {
  const { orgId, userId, addSession } = await addOrg();
  await store(orgId, 1, "- id: agent-loop\n  disabled: true\n", null);
  const ref = await addSession();
  await say(ref, userId, "hello");
  await assert.rejects(hold(ref));
  const shown = await row(ref);
  assert.equal(shown.status, "failed");
  assert.match(shown.problem ?? "", /loop/);
  assert.deepEqual(await waiting(ref), ["send"]);
});

test("G-7 a preset that lacks a service of the host is not marked broken, and its session goes on by itself once the composition has it", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const needs = await addPreset(orgId, "needs-meter", [
    { id: "persona", name: "persona", inject: ["tokenMeter"], config: { prefix: "Be brief." } },
  ]);
  await store(orgId, 1, "- id: token-meter\n  disabled: true\n", 0);
  const ref = await addSession(needs);
  await say(ref, userId, "hello");
  await hold(ref);
  const shown = await row(ref);
  assert.equal(shown.status, "read-only", shown.problem ?? "");
  const preset = await withOrg(orgId, (tx) => tx.preset.findUniqueOrThrow({ where: { id: needs.presetId } }));
  assert.equal(preset.brokenRevision, null);
  assert.deepEqual(await sessionsDue(orgId), []);
  await withOrg(orgId, async (tx) => {
    await tx.compositionPointer.deleteMany({ where: key(orgId) });
    await tx.session.updateMany({ where: { orgId, status: "read-only" }, data: { tryAgain: true } }); // as a change of the composition does
  });
  assert.deepEqual(
    (await sessionsDue(orgId)).map(({ sessionId }) => sessionId),
    [ref.sessionId],
  );
  void hold(ref);
  await answered(ref);
  await until(async () => (await row(ref)).status === "idle", "the session's row");
  assert.equal((await row(ref)).tryAgain, false);
});
