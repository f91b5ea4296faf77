import assert from "node:assert/strict";
import { test } from "node:test";
import { dumpJson, dumpText } from "@gantry/compose";
import { isAppError, type OrgId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { randomOf } from "@gantry/testing/random";
import { readOrg } from "../src/cli/read-org.ts";
import { readPreset } from "../src/load-session.ts";
import { orgComposition } from "../src/org-composition.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const seed = Number(process.env.GANTRY_SEED ?? Date.now() % 100_000);
const rounds = 40;
const holder = await startHolder(({ messages }) => ({ text: `echo ${JSON.stringify(messages.at(-1)).slice(0, 400)}` }));
const { addOrg, addPreset, deps, events, hold, post, row, say, waiting } = holder;

/** The same whole numbers below a limit for the same seed. */
function randomFrom(start: number) {
  const next = randomOf(start);
  return (below: number): number => Math.floor(next() * below);
}

/** An org whose every name and text holds its canary, with some sessions. */
async function plant(canary: string) {
  const org = await addOrg();
  const { orgId } = org;
  const persona = { id: "persona", name: "persona", config: { prefix: `You are ${canary}.` } };
  const preset = await addPreset(orgId, `preset-${canary}`, [persona]);
  const broken = await addPreset(orgId, `broken-${canary}`, [{ id: canary, name: `plugin-${canary}` }]);
  const source = `# ${canary}\n- id: llm-retry\n  config: { maxRetries: 1 }\n- insert:\n    - { id: retry-${canary}, name: llm-retry, disabled: true }\n`;
  await withOrg(orgId, async (tx) => {
    await tx.provider.updateMany({ where: { orgId }, data: { name: `Provider ${canary}`, models: ["test", `model-${canary}`] } });
    await tx.setting.create({ data: { orgId, namespace: "llm-retry", level: "org", value: { maxRetries: 1 }, revision: 1 } });
    const layer = { orgId, profile: "web", kind: "org" };
    await tx.compositionRevision.create({ data: { ...layer, revision: 1, bundles: [], source } });
    await tx.compositionPointer.create({ data: { ...layer, revision: 1 } });
  });
  const flags = JSON.stringify({ [canary]: true });
  await holder.db.asOwner(orgId, "UPDATE orgs SET name = $1, flags = $2 WHERE id = $3", [`Org ${canary}`, flags, orgId]);
  const sessions = [await org.addSession(), await org.addSession(preset), await org.addSession(broken)];
  return { ...org, canary, preset, broken, sessions, shown: [] as string[] };
}
type Planted = Awaited<ReturnType<typeof plant>>;

/** One random thing that people of an org, or somebody with another org's ids, do. What they get to see is kept. */
async function act(own: Planted, other: Planted, random: (below: number) => number, n: number): Promise<void> {
  const ref = own.sessions[random(own.sessions.length)] as Ref;
  const { orgId, userId, canary, shown } = own;
  const show = (what: unknown) => void shown.push(JSON.stringify(what));
  const acts = [
    () => say(ref, userId, `${canary} says ${n}`),
    () => post(ref, { kind: "rename", title: `Title ${canary} ${n}`, userId }),
    () => post(ref, { kind: "select-preset", ...own.preset, userId }),
    () => post(ref, { kind: "select-preset", ...other.preset, userId }),
    () => post(ref, { kind: "cancel", keepInbox: false, userId }),
    async () => show(await readPreset(ref, other.broken, await groundOf(own.orgId))),
    async () => {
      const composition = orgComposition(await readOrg(orgId, { profile: "web" }), deps.env);
      show([dumpText(composition), dumpJson(composition, { resolved: true })]);
    },
    async () => show(deps.roots.look(orgId)),
    async () => {
      const stolen: Ref = { orgId, sessionId: (other.sessions[0] as Ref).sessionId };
      await say(stolen, userId, `${canary} tries`).then(
        () => assert.fail("another org's session took a message"),
        (error: unknown) => show(String(error)),
      );
      await hold(stolen).catch((error: unknown) => show([String(error), isAppError(error, "NOT_FOUND")]));
    },
  ];
  await acts[random(acts.length)]?.();
  void hold(ref).catch((error: unknown) => show(String(error)));
}

/** As a session's start finds it. */
const groundOf = async (orgId: OrgId) => deps.grounds.of(orgId, await readOrg(orgId, { profile: "web" }));

/** Everything of an org that any of its people could read. */
async function tenantRows(orgId: OrgId): Promise<string> {
  return await withOrg(orgId, async (tx) =>
    JSON.stringify(
      await Promise.all([
        tx.session.findMany(),
        tx.sessionEvent.findMany({ select: { type: true, data: true } }),
        tx.sessionCommand.findMany({ select: { payload: true } }),
        tx.preset.findMany(),
        tx.presetRevision.findMany(),
        tx.provider.findMany({ select: { name: true, slug: true, models: true } }),
        tx.compositionRevision.findMany(),
        tx.setting.findMany(),
        tx.workspace.findMany({ select: { name: true } }),
      ]),
    ),
  );
}

test(`KN-104 what one org wrote never shows in another's log, rows, dumps, roots, errors or model requests (${rounds} random acts)`, {
  timeout: 300_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const orgs = [await plant("canarya17"), await plant("canaryb42")] as const;
  for (const ref of orgs.flatMap(({ sessions }) => sessions)) void hold(ref).catch(() => {});
  for (let n = 0; n < rounds; n += 1) {
    const side = random(2);
    await act(orgs[side] as Planted, orgs[1 - side] as Planted, random, n);
  }
  for (const { sessions, userId, canary } of orgs) {
    const [plain] = sessions as [Ref];
    await say(plain, userId, `${canary} says the end`);
    void hold(plain).catch(() => {});
    await until(async () => JSON.stringify(await events(plain)).includes("says the end"), "the last message");
    await until(async () => (await waiting(plain)).length === 0 && (await row(plain)).status !== "working", "the end of the work");
  }
  for (const [own, other] of [orgs, orgs.toReversed()] as [Planted, Planted][]) {
    const texts = [await tenantRows(own.orgId), ...own.shown, JSON.stringify(deps.roots.look(own.orgId))];
    texts.push(...holder.lines.flatMap((line) => (line.about.orgId === own.orgId ? [JSON.stringify(line)] : [])));
    assert.ok(texts[0]?.includes(own.canary), "the search finds what is there");
    for (const text of texts) assert.ok(!text.includes(other.canary), `${other.canary} in ${text.slice(0, 500)}`);
  }
  const mixed = holder.model.requests.filter((request) => orgs.every(({ canary }) => JSON.stringify(request).includes(canary)));
  assert.deepEqual(mixed, [], "no request to a model mixes two orgs");
  assert.equal(deps.roots.counts().tenantMismatches, 0);
});
