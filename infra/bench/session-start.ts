// Row 9 of the performance bars without the web process: from a message that is about to be stored to the model's first request. New sessions with
// and without the workspace's instructions, which wait for the container; the next turn of a session whose container runs; a long session.
//   npm run bench -- session-start [samples]
import { setTimeout as pause } from "node:timers/promises";
import { closeDatabase } from "@gantry/db";
import { newId } from "@gantry/platform";
import { printRow } from "./support/figures.ts";
import { writeLongLog } from "./support/long-log.ts";
import { saying, startModel } from "./support/model.ts";
import { startRequestFloor } from "./support/request-floor.ts";
import { type BenchSession, openTenant } from "./support/tenant.ts";
import { until } from "./support/wait.ts";

const samples = Number(process.argv[2] ?? 20);
const warmUps = 3;
const longLog = 10_000;
/** of the preset `standard`: the first has no plugin that reads the workspace before a step */
const [plain, withInstructions] = [1, 2];

const model = await startModel(async (_said, stream) => stream.token("done"));
const floor = await startRequestFloor(model.url);
const tenants = {
  plain: await openTenant(model.url, { presetRevision: plain }),
  full: await openTenant(model.url, { presetRevision: withInstructions }),
};
type Tenant = (typeof tenants)["plain"];

await series("new session, no instructions", tenants.plain, (tenant) => tenant.newSession());
await series("new session, instructions wait for its container", tenants.full, (tenant) => tenant.newSession());
await series("next turn, instructions, container runs", tenants.full, async (tenant) => {
  const session = await tenant.newSession();
  await ask(tenant, session);
  await settled(tenant, session);
  return session;
});
await series(`session with ${longLog} events, no instructions`, tenants.plain, async (tenant) => {
  const session = await tenant.newSession();
  await writeLongLog(session, longLog);
  return session;
});
await floor.close();
await Promise.all(Object.values(tenants).map((tenant) => tenant.close()));
model.close();
await closeDatabase();

async function series(name: string, tenant: Tenant, prepare: (tenant: Tenant) => Promise<BenchSession>): Promise<void> {
  const [ours, limit]: [number[], number[]] = [[], []];
  for (let round = -warmUps; round < samples; round += 1) {
    const session = await prepare(tenant);
    const { ms, bytes } = await ask(tenant, session);
    const least = await floor.measure(session, bytes);
    if (round >= 0) ours.push(ms);
    if (round >= 0) limit.push(least);
    await settled(tenant, session);
  }
  printRow(`message → first request, ${name}`, ours, limit);
}

async function ask(tenant: Tenant, { sessionId }: BenchSession): Promise<{ ms: number; bytes: number }> {
  const said = newId();
  const start = performance.now();
  const [{ at, bytes }] = await Promise.all([model.arrival(said), tenant.send(sessionId, saying(said))]);
  return { ms: at - start, bytes };
}

/** The container's start is CPU that the next sample must not share. */
async function settled(tenant: Tenant, { sessionId }: BenchSession): Promise<void> {
  const isUp = () =>
    tenant.worldOf(sessionId).then(
      () => true,
      () => false,
    );
  await until(isUp, "the session's container");
  await pause(100);
}
