import assert from "node:assert/strict";
import { test } from "node:test";
import { OrgRoot } from "@gantry/agent";
import { catalog } from "@gantry/agent/catalog";
import { isAppError, type OrgId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { agentOptions, openRoots, orgLayer, parts, presetRef, provider } from "./support/roots.ts";
import { until } from "./support/until.ts";

type Effects = { effect(body: () => () => unknown, label: string): unknown };
type Plugin = (typeof catalog)[string];
/** Its schema refuses a model without a name. */
const broken = provider({ models: [""] });

test("M-1 one root serves an org as long as its composition is the same; a changed one gets another", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  const first = provider();
  const uses = [
    await roots.use(orgId, parts({ providers: [first] })),
    await roots.use(orgId, parts({ providers: [structuredClone(first)] })),
  ];
  assert.equal(built(), 1);
  uses.push(await roots.use(orgId, parts({ providers: [{ ...first, models: ["m", "n"] }] })));
  assert.equal(built(), 2);
  await roots.use(newId<OrgId>(), parts({ providers: [first] }));
  assert.equal(built(), 3, "another org never shares a root");
  for (const use of uses) use.release();
});

test("M-13 concurrent first sessions share one build", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  await Promise.all(Array.from({ length: 8 }, () => roots.use(orgId, parts())));
  assert.deepEqual([built(), roots.counts().roots], [1, 1]);
});

test("KN-076 a broken composition leaves the last valid root in force and is reported; without one the reason is given", async (t) => {
  const { roots, lines, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  await assert.rejects(
    roots.use(orgId, parts({ providers: [broken] })),
    (error) => isAppError(error, "COMPOSITION_INVALID") && error.message.includes(`$.provider-${broken.id}`),
  );
  const good = provider();
  await roots.use(orgId, parts({ providers: [good] }));
  await roots.use(orgId, parts({ providers: [good, broken] }));
  assert.equal(built(), 1);
  const report = lines.find(({ level }) => level === "error");
  assert.match(String(report?.about.problem), /llm-openai-compatible refuses this/);
  assert.equal(roots.counts().fallbacks, 1);
  await roots.use(orgId, parts({ providers: [good, provider({ slug: "other" })] }));
  assert.equal(built(), 2, "a repaired composition takes over");
});

test("a stored layer that cannot be read any more is a broken composition that names it", async (t) => {
  const { roots, built, lines } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  const previous = parts({ layers: orgLayer("- id: llm-retry\n  config: { maxRetries: 2 }\n") });
  await roots.use(orgId, previous);
  await roots.use(orgId, parts({ layers: orgLayer("a: map", 2), previous }));
  assert.equal(built(), 1);
  assert.match(String(lines.find(({ level }) => level === "error")?.about.problem), /\$\.org: Revision 2 cannot be read.*org@2/);
});

test("M-13 a valid composition that does not start leaves the root that serves the org, and is not tried again at once", async (t) => {
  const failing = new Set<string>();
  const build = (host: Parameters<typeof OrgRoot.build>[0]) => {
    const isBad = host.rows.some(({ config }) => failing.has(String(config?.slug)));
    const bad: Plugin = {
      name: "llm-openai-compatible",
      apply() {
        throw new Error("no such switch");
      },
    };
    return OrgRoot.build(host, isBad ? { ...catalog, "llm-openai-compatible": bad } : catalog);
  };
  const { roots, lines, built } = openRoots({ build });
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  failing.add("bad");
  const bad = parts({ providers: [provider({ slug: "bad" })] });
  await assert.rejects(roots.use(orgId, bad), /no such switch/, "with no other root the reason is given");
  await roots.use(orgId, parts({ providers: [provider()] }));
  const used = await roots.use(orgId, bad);
  await roots.use(orgId, bad);
  assert.equal(built(), 3);
  assert.match(String(lines.findLast(({ level }) => level === "error")?.about.problem), /no such switch/);
  const agent = await used.createAgent(agentOptions(orgId), presetRef());
  assert.equal(agent.status, "idle", "sessions go on");
});

const unstartable = orgLayer("a: map", 9);
const retries = (count: number, revision: number) => orgLayer(`- id: llm-retry\n  config: { maxRetries: ${count} }\n`, revision);
const retriesOf = ({ composition }: { composition: { mounts: readonly { id: string; config?: unknown }[] } }) =>
  composition.mounts.find(({ id }) => id === "llm-retry")?.config;

test("M-13 a withdrawn composition never comes back: what stood in force before the one that does not start is built, though another still stands", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  const lax = await roots.use(orgId, parts({ layers: retries(9, 1) }));
  // rolled back to no layer, which builds nothing, then a layer that does not start
  const used = await roots.use(orgId, parts({ layers: unstartable, previous: parts() }));
  assert.deepEqual([built(), retriesOf(used)], [2, retriesOf(parts())]);
  assert.match(used.verdict?.problem ?? "", /Revision 9 cannot be read/);
  const again = await roots.use(orgId, parts({ layers: unstartable, previous: parts() }));
  assert.deepEqual([built(), retriesOf(again), again.verdict?.problem], [2, retriesOf(parts()), used.verdict?.problem]);
  assert.notDeepEqual(retriesOf(lax), retriesOf(parts()), "the withdrawn one was another");
});

test("M-13 with nothing that may come back, or when that does not start either, the reason is given and no root of before serves", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  (await roots.use(orgId, parts({ layers: retries(9, 1) }))).release();
  const refused = (error: unknown) => isAppError(error, "COMPOSITION_INVALID") && /Revision 9/.test(error.message);
  await assert.rejects(roots.use(orgId, parts({ layers: unstartable })), refused);
  await assert.rejects(roots.use(orgId, parts({ layers: unstartable, previous: parts({ layers: orgLayer("b: map", 8) }) })), refused);
  assert.equal(built(), 1);
});

test("M-13 what serves for a composition that did not start does not serve for the same text with another history", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  await roots.use(orgId, parts({ layers: unstartable, previous: parts({ layers: retries(9, 1) }) }));
  const used = await roots.use(orgId, parts({ layers: unstartable, previous: parts({ layers: retries(3, 2) }) }));
  assert.deepEqual([built(), retriesOf(used)], [2, { maxRetries: 3 }]);
});

test("a start that read the composition before another did does not bring the earlier one back", async (t) => {
  const { roots, built } = openRoots();
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  const [early, late] = [parts({ providers: [provider({ slug: "early" })] }), parts({ providers: [provider({ slug: "late" })] })];
  await roots.use(orgId, late, 2_000);
  await roots.use(orgId, early, 1_000);
  assert.equal(built(), 1);
});

test("M-14 an old root keeps its sessions, closes with the last one, and asks them to move when the drain limit ends", async (t) => {
  const { roots } = openRoots({ budgets: { drainMs: 20 } });
  t.after(() => roots.close());
  const orgId = newId<OrgId>();
  const old = await roots.use(orgId, parts({ providers: [provider()] }));
  const agent = await old.createAgent(agentOptions(orgId), presetRef());
  const fresh = await roots.use(orgId, parts({ providers: [provider({ slug: "new" })] }));
  assert.deepEqual([roots.counts().roots, roots.counts().draining], [2, 1]);
  assert.equal(agent.status, "idle");
  await until(() => old.outdated.aborted, "the drain limit");
  assert.equal(fresh.outdated.aborted, false);
  await old.disposeAgent(agent);
  old.release();
  await until(() => roots.counts().roots === 1, "the old root's end");
});

test("M-15 closing an org ends its sessions without draining and leaves others alone", async (t) => {
  const { roots } = openRoots({ budgets: { closeMs: 5_000 } });
  t.after(() => roots.close());
  const [gone, other] = [newId<OrgId>(), newId<OrgId>()];
  const used = await roots.use(gone, parts());
  const kept = await roots.use(other, parts());
  used.revoked.addEventListener("abort", () => setImmediate(() => used.release()), { once: true });
  await roots.closeAllBut([other]);
  assert.deepEqual([used.revoked.aborted, kept.revoked.aborted, roots.counts().roots], [true, false, 1]);
  await assert.rejects(used.createAgent(agentOptions(gone), presetRef()), (error) => isAppError(error, "UNAVAILABLE"));
});

test("M-16 idle roots go, used ones stay, and a full worker gives up the one unused for longest", async (t) => {
  const { roots } = openRoots({ budgets: { roots: 2 } });
  t.after(() => roots.close());
  const [a, b, c] = [newId<OrgId>(), newId<OrgId>(), newId<OrgId>()];
  (await roots.use(a, parts())).release();
  const held = await roots.use(b, parts());
  await roots.use(c, parts());
  await until(() => roots.counts().roots === 2, "the end of the first root");
  await assert.rejects(roots.use(a, parts()), (error) => isAppError(error, "UNAVAILABLE"));
  held.release();
  await roots.evictIdle(performance.now() + 14 * 60_000);
  assert.equal(roots.counts().roots, 2, "not yet");
  await roots.evictIdle(performance.now() + 15 * 60_000);
  assert.equal(roots.counts().roots, 1);
});

test("KN-111 a root that does not come to rest taints the worker: it is told once and takes no session any more", async (t) => {
  const stuck: Plugin = {
    name: "sandbox-prewarm",
    apply: (ctx: Effects) => void ctx.effect(() => () => new Promise(() => {}), "never ends"),
  };
  const build = (host: Parameters<typeof OrgRoot.build>[0]) =>
    OrgRoot.build({ ...host, limits: { restMs: 20 } }, { ...catalog, "sandbox-prewarm": stuck });
  const reasons: string[] = [];
  const { roots } = openRoots({ build, onTaint: (reason) => reasons.push(reason) });
  t.after(() => roots.close());
  const [first, second] = [newId<OrgId>(), newId<OrgId>()];
  const running = await roots.use(first, parts());
  (await roots.use(second, parts())).release();
  await roots.closeOrg(second);
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? "", /sandbox-prewarm/);
  await assert.rejects(roots.use(second, parts()), (error) => isAppError(error, "UNAVAILABLE"));
  assert.equal(running.outdated.aborted, false, "what runs may end by itself or be handed over");
});

test("settings reach the org's roots at each session's start, and no other org's", async (t) => {
  const seen = new Map<string, unknown>();
  const build = (host: Parameters<typeof OrgRoot.build>[0]) => {
    host.settings?.watch(() => seen.set(host.orgId, host.settings?.section("llm-retry")));
    return OrgRoot.build(host);
  };
  const { roots } = openRoots({ build });
  t.after(() => roots.close());
  const [a, b] = [newId<OrgId>(), newId<OrgId>()];
  for (const orgId of [a, b]) await roots.use(orgId, parts());
  const setting = { namespace: "llm-retry", level: "org", value: { maxRetries: 1 }, revision: 1 } as const;
  await roots.use(a, parts({ settings: [setting, { ...setting, level: "user", value: { maxRetries: 9 } }] }));
  assert.deepEqual([...seen], [[a, { maxRetries: 1 }]]);
});
