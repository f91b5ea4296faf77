import { Failure } from "./failure.mjs";
import { inRoot, projectNode, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

/** Fills in what every installation has: platform presets, the demo organisation. Safe to repeat. */
export async function seed(env) {
  await step("Seed", async () => {
    const result = await run(projectNode, [inRoot("prisma", "seed.ts")], { cwd: root, env: { ...process.env, ...env }, limitMs: 120_000 });
    if (result.code !== 0) throw new Failure(`The seed failed:\n${result.output.slice(-3000)}`);
  });
}
