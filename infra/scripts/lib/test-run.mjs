import { Failure } from "./failure.mjs";
import { say } from "./progress.mjs";
import { onStopSignal } from "./shutdown.mjs";
import { createTally } from "./tally.mjs";
import { createBench } from "./test-bench.mjs";
import { levels } from "./test-levels.mjs";

/**
 * Runs the levels that `words` name, or all; the other words are parts of paths. Ends with the line that tools read.
 * @returns whether all is well
 */
export async function runTests(words) {
  const filters = words.filter((word) => !(word in levels));
  const named = words.filter((word) => word in levels);
  const selected = Object.entries(levels).filter(([name]) => named.length === 0 || named.includes(name));
  const tally = createTally();
  const { bench, need, close } = createBench();
  onStopSignal(close, 1);
  try {
    for (const [name, level] of selected) await runLevel({ name, level, need, context: { bench, tally, filters } });
  } finally {
    await close();
  }
  say("Finished");
  process.stdout.write(`${tally.report()}\n`);
  return tally.failures === 0;
}

/** A level whose preparation fails is one failure; the other levels still run. */
async function runLevel({ name, level, need, context }) {
  try {
    for (const thing of level.needs) await need(thing);
    await level.run(context);
  } catch (error) {
    context.tally.fail(`${name}: could not be prepared`);
    process.stdout.write(`${error instanceof Failure ? error.message : error.stack}\n`);
  }
}
