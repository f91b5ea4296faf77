// Rows 1 to 6 of the performance bars: what a step costs beside the model and its tool, on a worker with its container, against the least loop
// that does the same work (step-floor.ts), in one run.   npm run bench -- steps [rounds] [steps of the long session, 0: none]
import { setTimeout as pause } from "node:timers/promises";
import { closeDatabase } from "@gantry/db";
import { newId } from "@gantry/platform";
import { containerCpuMs } from "./support/container-cpu.ts";
import { digits, median, printLine, quantile } from "./support/figures.ts";
import { partsOf, startFloor } from "./support/floor.ts";
import { liveMemoryMb } from "./support/live-memory.ts";
import { cpuMs, pidOf } from "./support/processes.ts";
import { overheads, type StepRun, startStepModel, stepWord } from "./support/step-model.ts";
import { openTenant } from "./support/tenant.ts";
import { until } from "./support/wait.ts";
import { batchesOfStep, writtenBatches } from "./support/written-batches.ts";

const rounds = Number(process.argv[2] ?? 5);
const longSteps = Number(process.argv[3] ?? 1_000);
const each = 20;
/** The steps that are counted, by tool; the one before them opens the container, or the file. */
const windows = { bash: [2, each + 1], read: [each + 3, 2 * each + 2] } as const;
const shortSteps = windows.read[1];

type Used = { readonly loop: number; readonly container: number };
type Side = { readonly pid: number; readonly worldId: string; readonly samples: Map<number, Used> };
const sides = new Map<string, Side>();
const isLong = (word: string) => word.startsWith("long");
const around = (step: number) => [step - 20, step + 20] as const;
const places = [40, 500, 980].filter((step) => step + 20 <= longSteps);
const sampled = new Set([...Object.values(windows).flatMap(([from, to]) => [from - 1, to]), ...places.flatMap(around)]);

const model = await startStepModel({
  answer(word, index) {
    if (!/^(short|long)-/.test(word)) return { text: "ready" };
    if (index >= (isLong(word) ? longSteps : shortSteps)) return { text: "done" };
    const isRead = !isLong(word) && index + 1 > windows.bash[1];
    if (isRead) return { tool: "read", args: { file_path: "notes.txt" } };
    return {
      tool: "bash",
      args: { command: index === 0 ? "seq 40 > notes.txt; echo ready" : `echo hi ${index}`, description: "Say hello" },
    };
  },
  async between(word, index) {
    const side = sides.get(word);
    if (side && sampled.has(index)) side.samples.set(index, { loop: cpuMs(side.pid), container: await containerCpuMs(side.worldId) });
  },
});
const tenant = await openTenant(model.url);
const floor = await startFloor(model.url);
const worker = pidOf("worker");

type Result = { readonly run: StepRun; readonly cpu: (from: number, to: number) => Used };
/** of a step of ours, for the floor to do the same */
let request = { text: "", word: "" };
let batches: Awaited<ReturnType<typeof ourBatches>> | null = null;

const wall = { ours: { bash: [] as number[], read: [] as number[] }, floor: { bash: [] as number[], read: [] as number[] } };
const cpu = { ours: { bash: [] as Used[], read: [] as Used[] }, floor: { bash: [] as Used[], read: [] as Used[] } };
const sum = ({ loop, container }: Used): number => loop + container;
for (let round = 0; round <= rounds; round += 1) {
  for (const name of ["ours", "floor"] as const) {
    const { run, cpu: used } = await (name === "ours" ? ours(`short-${newId()}`, shortSteps) : least(`short-${newId()}`, shortSteps));
    if (round === 0) continue; // warm-up
    for (const tool of ["bash", "read"] as const) {
      const [from, to] = windows[tool];
      wall[name][tool].push(...overheads(run, from, to));
      cpu[name][tool].push(used(from - 1, to));
    }
  }
}
for (const tool of ["bash", "read"] as const) {
  row(`step, ${tool} in the container, wall p50`, median(wall.ours[tool]), median(wall.floor[tool]), "ms");
  row(`step, ${tool} in the container, wall p90 (limit: p50)`, quantile(wall.ours[tool], 0.9), median(wall.floor[tool]), "ms");
  row(`CPU of a ${tool} step, loop and container`, median(cpu.ours[tool].map(sum)), median(cpu.floor[tool].map(sum)), "ms");
  const loop = (used: readonly Used[]) => median(used.map((one) => one.loop));
  row("  of it the loop alone", loop(cpu.ours[tool]), loop(cpu.floor[tool]), "ms");
}
if (longSteps > 0) await long();
await tenant.close();
floor.close();
model.close();
await closeDatabase();

async function ours(word: string, steps: number): Promise<Result> {
  const session = await tenant.newSession();
  await tenant.send(session.sessionId, "Prepare."); // any word but a step's is answered with a text
  await until(
    () =>
      tenant.worldOf(session.sessionId).then(
        () => true,
        () => false,
      ),
    "the session's container",
  );
  sides.set(word, { pid: worker, worldId: await tenant.worldOf(session.sessionId), samples: new Map() });
  await tenant.send(session.sessionId, `Work. ${stepWord(word)}`);
  await until(() => model.runOf(word).answered.length > steps, "the last step", 600_000);
  request = { text: model.runOf(word).first, word };
  await pause(200); // the turn's end
  batches ??= await ourBatches(session);
  return resultOf(word);
}

async function ourBatches(session: Parameters<typeof writtenBatches>[0]) {
  const all = await writtenBatches(session);
  const found = { bash: batchesOfStep(all, windows.bash[0] + 5), read: batchesOfStep(all, windows.read[0] + 5) };
  for (const [tool, { before, after }] of Object.entries(found)) {
    const show = (list: typeof before) => list.map((batch) => `[${batch.map(({ type }) => type).join(" ")}]`).join(" ");
    console.log(`a ${tool} step is made durable as ${show(before)} then the body, then ${show(after)}`);
  }
  return found;
}

async function least(word: string, steps: number): Promise<Result> {
  const [world] = await floor.open(tenant.orgId, 1);
  if (!world || !batches) throw new Error("the floor runs after ours");
  sides.set(word, { pid: floor.pid, worldId: world.worldId, samples: new Map() });
  await floor.run([{ world, ...partsOf(request.text, request.word, word), batches }]);
  if (model.runOf(word).answered.length !== steps + 1) throw new Error("the floor did not make the same steps");
  return resultOf(word);
}

function resultOf(word: string): Result {
  const { samples } = sides.get(word) as Side;
  return {
    run: model.runOf(word),
    cpu: (from, to) => {
      const each = (part: keyof Used) =>
        ((samples.get(to)?.[part] ?? Number.NaN) - (samples.get(from)?.[part] ?? Number.NaN)) / (to - from);
      return { loop: each("loop"), container: each("container") };
    },
  };
}

/** Rows 5 and 6: one session of many bash steps. */
async function long(): Promise<void> {
  const memory = [await liveMemoryMb(worker)];
  const own = await ours(`long-${newId()}`, longSteps);
  memory.push(await liveMemoryMb(worker), await liveMemoryMb(floor.pid));
  const bare = await least(`long-${newId()}`, longSteps);
  memory.push(await liveMemoryMb(floor.pid));
  const at = (step: number, { run, cpu }: Result) => [median(overheads(run, ...around(step))), sum(cpu(...around(step)))] as const;
  for (const step of places) {
    row(`step ${step} of ${longSteps}, wall p50`, at(step, own)[0], at(step, bare)[0], "ms");
    row(`step ${step} of ${longSteps}, CPU`, at(step, own)[1], at(step, bare)[1], "ms");
  }
  const growth = (result: Result) => at(places.at(-1) ?? 0, result)[1] / at(places[0] ?? 0, result)[1];
  row(`CPU of step ${places.at(-1)} ÷ step ${places[0]}`, growth(own), growth(bare), "");
  const [before = 0, after = 0, bareBefore = 0, bareAfter = 0] = memory;
  row(`memory that ${longSteps} steps add, PSS without garbage`, after - before, bareAfter - bareBefore, "MB");
  console.log(`last request: ours ${own.run.bytes} bytes, floor ${bare.run.bytes}`);
}

function row(name: string, own: number, limit: number, unit: string): void {
  printLine([name, `${digits(own)} ${unit}`, `${digits(limit)} ${unit}`, digits(own / limit)]);
}
