// Run by root-churn.test.ts with --expose-gc: makes and evicts roots for hundreds of orgs, round after round, and prints what is left.
import { runForOrg } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { agentOptions, openRoots, parts, presetRef, provider } from "./roots.ts";

const [orgs = 0, rounds = 0] = process.argv.slice(2).map(Number);
const { roots, lines } = openRoots();
const preset = presetRef();

/** A root with a mounted preset and an agent that came and went, for each org, and for some a changed composition; then all are evicted. */
async function round(orgs: number): Promise<{ open: number; left: number }> {
  for (let count = 0; count < orgs; count += 1) {
    const orgId = newId<OrgId>();
    const used = await roots.use(orgId, parts({ providers: [provider()] }));
    await runForOrg(orgId, async () => used.disposeAgent(await used.createAgent(agentOptions(orgId), preset)));
    if (count % 10 === 0) await change(orgId);
    used.release();
  }
  const open = roots.counts().roots;
  await roots.evictIdle(performance.now() + 16 * 60_000);
  lines.length = 0;
  return { open, left: roots.counts().roots };
}

/** The org's composition changes while a session is on its root: another root is built and the first drains. */
async function change(orgId: OrgId): Promise<void> {
  const { draining } = roots.counts();
  (await roots.use(orgId, parts({ providers: [provider({ slug: "changed" })] }))).release();
  if (roots.counts().draining !== draining + 1) throw new Error("the first root does not drain");
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  for (let count = 0; count < 3; count += 1) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const resources = () => process.getActiveResourcesInfo().toSorted();
await round(60); // loads code and fills what is kept for good
const before = { heap: heapBytes(), resources: resources() };
const seen: { open: number; left: number; heap: number }[] = [];
for (let count = 0; count < rounds; count += 1) seen.push({ ...(await round(orgs)), heap: heapBytes() });
const after = resources();
await roots.close();
process.stdout.write(JSON.stringify({ before, rounds: seen, resources: after }));
