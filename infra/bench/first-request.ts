// Row 9 of the performance bars: from the web page's send to the model's first request, in a session without a past and in one with
// 10,000 events, on a worker that has served this organisation before; and once more while the container engine does not answer.
//   npm run bench -- first-request [samples]
import { setTimeout as pause } from "node:timers/promises";
import { closeDatabase, readEvents, withOrg } from "@gantry/db";
import { loadEnv, newId } from "@gantry/platform";
import { type SessionRef, send } from "./support/api.ts";
import { median, printRow } from "./support/figures.ts";
import { writeLongLog } from "./support/long-log.ts";
import { saying, startModel } from "./support/model.ts";
import { signedInPerson } from "./support/person.ts";
import { pidOf } from "./support/processes.ts";
import { createTicketReader, startRequestFloor } from "./support/request-floor.ts";
import { until } from "./support/wait.ts";

const samples = Number(process.argv[2] ?? 30);
const warmUps = 5;
const longLog = 10_000;

const model = await startModel(async (_said, stream) => stream.token("done"));
const person = await signedInPerson(model.url);
const { workspaceId } = await person.newWorkspace();
const floor = await startRequestFloor(model.url);
const tickets = createTicketReader();

type Stages = Record<"queued" | "taken" | "leased" | "loaded" | "turn" | "header" | "arrived", number>;
type Sample = { readonly ours: number; readonly limit: number; readonly stages: Stages };

await series("new session", 0);
await series(`session with ${longLog} events`, longLog);
await series("new session, container engine not answering", 0, { isEngineStuck: true });
tickets.close();
await floor.close();
model.close();
await closeDatabase();

async function series(name: string, events: number, { isEngineStuck = false } = {}): Promise<void> {
  const taken: Sample[] = [];
  for (let round = -warmUps; round < samples; round += 1) {
    const ref = { orgId: person.orgId, ...(await person.newSession(workspaceId)) };
    if (events > 0) await writeLongLog(ref, events);
    if (isEngineStuck) process.kill(pidOf("broker"), "SIGSTOP");
    const sample = await measure(ref).finally(() => isEngineStuck && process.kill(pidOf("broker"), "SIGCONT"));
    if (round >= 0) taken.push(sample);
    await until(() => isSandboxSettled(ref), "the session's container"); // its start is CPU that the next sample must not share
    await pause(50);
  }
  const of = (pick: (sample: Sample) => number) => taken.map(pick);
  printRow(
    `send → first request, ${name}`,
    of(({ ours }) => ours),
    of(({ limit }) => limit),
  );
  const stages = Object.keys(taken[0]?.stages ?? {}) as (keyof Stages)[];
  console.log(
    `  ms after the send, p50: ${stages.map((stage) => `${stage} ${median(of((one) => one.stages[stage])).toFixed(1)}`).join(", ")}\n`,
  );
}

async function measure(ref: SessionRef): Promise<Sample> {
  const said = newId();
  const start = performance.now();
  const [{ at, bytes }] = await Promise.all([model.arrival(said), send(person, ref.sessionId, saying(said))]);
  const stages = await stagesOf(ref, performance.timeOrigin + start);
  return { ours: at - start, limit: await floor.measure(ref, bytes), stages: { ...stages, arrived: at - start } };
}

/** Where the time went, from the marks that the installation leaves anyway; most of them are whole milliseconds. */
async function stagesOf({ orgId, sessionId }: SessionRef, start: number): Promise<Omit<Stages, "arrived">> {
  const { wakes, expiresAt } = await withOrg(orgId, async (tx) => {
    const session = await tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } }, select: { wakes: true } });
    const lease = await tx.sessionLease.findFirstOrThrow({ where: { sessionId }, select: { expiresAt: true } });
    return { ...session, ...lease };
  });
  const ticket = await tickets.read(sessionId, wakes);
  const events = await readEvents(orgId, sessionId, { last: 40 });
  const lastTime = (type: string) => (events.findLast((event) => event.type === type)?.time ?? Number.NaN) - start;
  return {
    queued: ticket.queued - start,
    taken: ticket.taken - start,
    leased: expiresAt.getTime() - loadEnv().LEASE_TTL_MS - start,
    loaded: lastTime("agent/inbox/spliced"),
    turn: lastTime("turn/start"),
    header: lastTime("request/header"),
  };
}

async function isSandboxSettled({ orgId, sessionId }: SessionRef): Promise<boolean> {
  const row = await withOrg(orgId, (tx) => tx.sandbox.findFirst({ where: { orgId, sessionId }, select: { state: true, problem: true } }));
  if (row?.state === "failed") console.log(`a container did not start: ${row.problem}`);
  return row?.state === "ready" || row?.state === "failed";
}
