import { loadavg } from "node:os";
import { Failure } from "./failure.mjs";
import { inRoot, projectNode, root } from "./paths.mjs";
import { say } from "./progress.mjs";
import { run } from "./run.mjs";
import { onStopSignal } from "./shutdown.mjs";
import { createBench } from "./test-bench.mjs";

const database = ["client", "database"];
const live = ["client", "database", "image", "build", "stack"];
const worker = ["client", "database", "image", "worker"];

/** Each benchmark with the things of test-bench.mjs that it needs and the rows of docs/performance.md that it fills. */
const benchmarks = {
  "first-request": { needs: live, rows: "9, and that a container's start delays no first request" },
  "session-start": { needs: worker, rows: "9 without the web process" },
  steps: { needs: worker, rows: "1 to 6" },
  density: { needs: worker, rows: "7, 8, 11" },
  queue: { needs: ["client", "services"], rows: "10" },
  // a turn that streams takes a place in its worker for as long
  tokens: { needs: live, rows: "12, 13, 14, 16", env: { WORKER_CONCURRENCY: "250" } },
  feed: { needs: ["client", "services"], rows: "12 to 14, the feed alone" },
  sse: { needs: database, rows: "22" },
  "event-append": { needs: database, rows: "15, 16, 26, the event store alone" },
  crash: { needs: ["client", "services"], rows: "of the section Crashes" },
  reconnect: { needs: database, rows: "26" },
  sandbox: { needs: ["client", "image"], rows: "18, 19, 21" },
  memory: { needs: live, rows: "8" },
  kernel: { needs: [], rows: "the kernel's own figures" },
  roots: { needs: [], rows: "an org root and a generation of a preset: time and memory" },
};

/**
 * Runs one benchmark with its output on the terminal. Times are only worth something on a machine that does nothing else, so the
 * load before and after is said.
 * @param {string[]} words the name, then what the benchmark itself is told
 * @returns {Promise<number>} the exit code
 * @throws Failure when there is no such benchmark
 */
export async function runBenchmark([name, ...args]) {
  const benchmark = Object.hasOwn(benchmarks, name ?? "") ? benchmarks[name] : null;
  if (!benchmark) throw new Failure(`Usage: npm run bench -- <name>\n${list()}`);
  Object.assign(process.env, benchmark.env);
  const { bench, need, close } = createBench({ durable: true });
  onStopSignal(close, 1);
  try {
    for (const thing of benchmark.needs) await need(thing);
    sayLoad("before");
    const { code } = await run(projectNode, ["--expose-gc", inRoot("infra", "bench", `${name}.ts`), ...args], {
      cwd: root,
      env: { ...bench.env, LOG_LEVEL: process.env.LOG_LEVEL ?? "silent" },
      limitMs: 1_800_000,
      echo: true,
    });
    sayLoad("after");
    return code;
  } finally {
    await close();
  }
}

const sayLoad = (when) =>
  say(
    `load ${when}: ${loadavg()
      .map((value) => value.toFixed(2))
      .join(" ")}`,
  );

const list = () =>
  Object.entries(benchmarks)
    .map(([name, { rows }]) => `  ${name.padEnd(16)} rows ${rows}`)
    .join("\n");
