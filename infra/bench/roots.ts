/** What an org root costs: `node --expose-gc infra/bench/roots.ts`. Times are of this machine, now; compare, do not quote. */
import { createSettingsStore, hostFor, noAttachments, OrgRoot, type PresetRef, runForOrg } from "@gantry/agent";
import { composeOrg, composePreset, platformPresets } from "@gantry/compose";
import type { OrgId, ProviderId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { digits, median, show } from "./support/figures.ts";

const mb = 1024 * 1024;
const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };

const facts = { "platform.os": "linux", "platform.privateHosts": false, "plan.tier": "free", "plan.seats": 5 };
const provider = {
  id: newId<ProviderId>(),
  slug: "acme",
  kind: "openai_compatible" as const,
  baseUrl: "https://models.example",
  models: ["m"],
};
const standard = platformPresets.findLast(({ slug }) => slug === "standard");
if (!standard) throw new Error("the release ships no preset `standard`");

const composed = sample(50, () => composeOrg({ providers: [provider], facts }));
const { mounts } = composeOrg({ providers: [provider], facts });
const checked = sample(50, () => composePreset({ ...standard, facts }));
const { hash, mounts: rows } = composePreset({ ...standard, facts });
const preset: PresetRef = { presetId: "p", slug: standard.slug, revision: standard.revision, hash, mounts: rows };

type Open = { readonly orgId: OrgId; readonly root: OrgRoot };
const build = async (): Promise<Open> => {
  const orgId = newId<OrgId>();
  const credentials = { resolve: () => Promise.resolve(null) };
  const host = hostFor(orgId, {
    logger,
    credentials,
    settings: createSettingsStore().store,
    attachments: noAttachments,
    onMismatch: silent,
  });
  return { orgId, root: await runForOrg(orgId, () => OrgRoot.build({ ...host, rows: mounts })) };
};
const close = ({ orgId, root }: Open) => runForOrg(orgId, () => root.close());
/** Mounts a generation of the preset and lets it stand. */
const generation = ({ orgId, root }: Open) => runForOrg(orgId, () => root.lendPreset(preset, () => {}));

for (let count = 0; count < 10; count += 1) {
  const warm = await build();
  await generation(warm);
  await close(warm);
}

const before = heap();
const built: number[] = [];
const open: Open[] = [];
for (let count = 0; count < 100; count += 1) built.push(await took(async () => void open.push(await build())));
const withRoots = heap();
const mounted: number[] = [];
for (const one of open) mounted.push(await took(() => generation(one)));
const withPresets = heap();
const closed: number[] = [];
for (const one of open) closed.push(await took(() => close(one)));
open.length = 0;

console.log(`Node ${process.version}; ${mounts.length} host rows, ${rows.length} rows of the preset`);
console.log(`composing an org: ${show(composed)}; a preset: ${show(checked)}`);
console.log(`building an org root: ${show(built)} (bar: median below 50)`);
console.log(`mounting a generation of the preset: ${show(mounted)}`);
console.log(`closing both: ${show(closed)}`);
console.log(
  `memory of a root: ${digits((withRoots - before) / 100 / mb)} MB (bar: 2); of a generation: ${digits((withPresets - withRoots) / 100 / mb)} MB`,
);

const base = heap();
const round: number[] = [];
for (let count = 0; count < 300; count += 1) {
  const one = await build();
  round.push(await took(() => generation(one)));
  await close(one);
}
console.log(`300 roots made and closed: heap ${digits(base / mb)} → ${digits(heap() / mb)} MB; a generation ${digits(median(round))} ms`);

function sample(times: number, work: () => unknown): number[] {
  return Array.from({ length: times }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
}

async function took(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function heap(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  for (let count = 0; count < 3; count += 1) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
