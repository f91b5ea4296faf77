import type { RunArgs } from "../../protocol/ops.ts";
import type { RunResult } from "../../types.ts";
import { Failure } from "../failure.ts";
import type { OutputListener } from "./increments.ts";
import { Run } from "./run.ts";
import { type Spawner, WorldFull } from "./spawn.ts";

/** Finished keyed runs whose results are kept for a worker that comes back. */
const maxKept = 64;

type Started = { run: Promise<Run> };

/** The runs of this world. A keyed run outlives the connection that started it and is joined, not repeated, by the next with its key. */
export class Runs {
  private readonly spawner: Spawner;
  private readonly keyed = new Map<string, Started>();
  private running = 0;

  constructor(spawner: Spawner) {
    this.spawner = spawner;
  }

  async run(args: RunArgs, onOutput: OutputListener | null, onCancel: (cancel: () => void) => void): Promise<RunResult> {
    let isCancelled = false;
    let run: Run | undefined;
    onCancel(() => {
      isCancelled = true;
      run?.end("abort");
    });
    run = await this.start(args);
    if (isCancelled) run.end("abort"); // cancelled before there was anything to kill (EX-013)
    if (onOutput) run.onOutput = onOutput;
    return await run.result;
  }

  private start(args: RunArgs): Promise<Run> {
    const known = args.key === null ? undefined : this.keyed.get(args.key);
    if (known) return known.run;
    if (args.join) return Promise.reject(new Failure("RUN_UNKNOWN", "no run of this key was started in this world"));
    const run = this.spawn(args);
    if (args.key !== null) this.keep(args.key, run);
    return run;
  }

  private async spawn(args: RunArgs): Promise<Run> {
    try {
      const run = new Run(await this.spawner(args), args);
      this.running += 1;
      void run.result.then(() => {
        this.running -= 1;
      });
      return run;
    } catch (error) {
      if (!(error instanceof WorldFull) || this.running > 0) throw error;
      endLeftovers();
      throw new WorldFull("what earlier commands left running was ended, run the command again");
    }
  }

  private keep(key: string, run: Promise<Run>): void {
    this.keyed.set(key, { run });
    run.catch(() => this.keyed.delete(key)); // what never started may be tried again
    for (const oldest of this.keyed.keys()) {
      if (this.keyed.size <= maxKept) break;
      this.keyed.delete(oldest);
    }
  }
}

/** A bomb that outlived its command holds every process there may be, and no command could start to end it. Reaches the agent's uid alone. */
function endLeftovers(): void {
  try {
    process.kill(-1, "SIGKILL");
  } catch {
    // they are gone already
  }
}
