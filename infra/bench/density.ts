// Rows 7, 8 and 11 of the performance bars: many sessions in one worker process. First they all run steps beside each other while the model
// thinks 100 ms a step, against as many loops in one process of step-floor.ts; then they are weighed; then they take turns without a tool.
//   npm run bench -- density [sessions] [rounds]
import { setTimeout as pause } from "node:timers/promises";
import { closeDatabase } from "@gantry/db";
import { newId } from "@gantry/platform";
import { digits, printLine, quantile } from "./support/figures.ts";
import { partsOf, startFloor } from "./support/floor.ts";
import { liveMemoryMb } from "./support/live-memory.ts";
import { cpuMs, memoryMb, pidOf } from "./support/processes.ts";
import { overheads, startStepModel, stepWord } from "./support/step-model.ts";
import { type BenchSession, openTenant } from "./support/tenant.ts";
import { until } from "./support/wait.ts";
import { batchesOfStep, writtenBatches } from "./support/written-batches.ts";

const count = Number(process.argv[2] ?? 60);
const rounds = Number(process.argv[3] ?? 2);
const steps = 20;
const thinkMs = 100;
const turnsEach = 25;

const model = await startStepModel({
  answer(word, index) {
    if (!word.startsWith("step-") || index >= steps) return { text: "done" };
    return { tool: "bash", args: { command: `echo hi ${index}`, description: "Say hello" } };
  },
  between: (word) => (word.startsWith("step-") ? pause(thinkMs) : Promise.resolve()),
});
const tenant = await openTenant(model.url);
const floor = await startFloor(model.url);
const worker = pidOf("worker");

const base = memoryMb(worker).pss;
await together([await readySession()]); // what the first session of an org loads is not the price of each
const one = await liveMemoryMb(worker);
const sessions = await inTurn(count, readySession);
const words = await together(sessions);
const loaded = await liveMemoryMb(worker); // within the half minute that a session stays loaded
console.log(
  `worker base ${digits(base)} MB, with one session ${digits(one)} MB, with ${count} more that made ${steps} steps ${digits(loaded)} MB`,
);
const each = (loaded - one) / count;
printLine([
  "a live session of 20 steps, PSS growth without garbage",
  `${digits(each)} MB`,
  "–",
  `${Math.round(1024 / each)} sessions per GB`,
  `n = ${count}`,
]);

const batches = { bash: batchesOfStep(await writtenBatches(sessions[0] as BenchSession), 10) };
const worlds = await floor.open(tenant.orgId, count);
for (let round = 0; round < rounds; round += 1) {
  const own = await measured(worker, () => together(sessions));
  const bare = await measured(floor.pid, async () => {
    const next = worlds.map(() => `step-${newId()}`);
    const request = model.runOf(words[0] as string).first;
    await floor.run(worlds.map((world, at) => ({ world, batches, ...partsOf(request, words[0] as string, next[at] as string) })));
    return next;
  });
  const cells = (pick: (side: typeof own) => number) => [digits(pick(own)), digits(pick(bare)), digits(pick(own) / pick(bare))];
  printLine([`steps/s, ${count} sessions, round ${round + 1}`, ...cells(({ rate }) => rate)]);
  printLine(["overhead p50, ms", ...cells(({ over }) => quantile(over, 0.5))]);
  printLine(["overhead p99, ms", ...cells(({ over }) => quantile(over, 0.99))]);
  printLine(["CPU of the process a step, ms", ...cells(({ cpu }) => cpu)]);
}
await emptyTurns();
await tenant.close();
floor.close();
model.close();
await closeDatabase();

/** A session whose container runs. */
async function readySession(): Promise<BenchSession> {
  const session = await tenant.newSession();
  await tenant.send(session.sessionId, "Prepare.");
  const isUp = () =>
    tenant.worldOf(session.sessionId).then(
      () => true,
      () => false,
    );
  await until(isUp, "the session's container");
  return session;
}

/** Containers start a few at a time: all at once would starve each other. */
async function inTurn<T>(total: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < total) made.push(...(await Promise.all(Array.from({ length: Math.min(6, total - made.length) }, make))));
  return made;
}

/** Runs the steps in all sessions at once; the words of their runs. */
async function together(list: readonly BenchSession[]): Promise<string[]> {
  const words = list.map(() => `step-${newId()}`);
  await Promise.all(list.map(({ sessionId }, at) => tenant.send(sessionId, `Work. ${stepWord(words[at] as string)}`)));
  await until(() => words.every((word) => model.runOf(word).answered.length > steps), "the last step", 300_000);
  return words;
}

async function measured(pid: number, work: () => Promise<string[]>) {
  const before = cpuMs(pid);
  const runs = (await work()).map((word) => model.runOf(word));
  const used = cpuMs(pid) - before;
  const from = Math.min(...runs.map(({ received }) => received[0] ?? Number.NaN));
  const to = Math.max(...runs.map(({ received }) => received.at(-1) ?? Number.NaN));
  return {
    rate: (runs.length * steps * 1_000) / (to - from),
    over: runs.flatMap((run) => overheads(run, 1, steps)),
    cpu: used / (runs.length * steps),
  };
}

/** Row 11: turns of one answer without a tool, as fast as they follow each other, in eight sessions. */
async function emptyTurns(): Promise<void> {
  const busy = sessions.slice(0, 8);
  const words = busy.map(() => Array.from({ length: turnsEach }, () => `turn-${newId()}`));
  const [start, before] = [performance.now(), cpuMs(worker)];
  await Promise.all(
    busy.map(({ sessionId }, at) => tenant.send(sessionId, ...(words[at] ?? []).map((word) => `Say it. ${stepWord(word)}`))),
  );
  await until(() => words.flat().every((word) => model.runOf(word).answered.length > 0), "the last turn", 120_000);
  const [ms, used] = [performance.now() - start, cpuMs(worker) - before];
  const turns = words.flat().length;
  printLine([
    "empty turns per worker core",
    `${digits((turns * 1_000) / used)} /s of CPU`,
    "–",
    `${digits((turns * 1_000) / ms)} /s`,
    `n = ${turns}`,
  ]);
}
