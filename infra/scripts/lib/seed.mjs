import { randomBytes } from "node:crypto";
import { Failure } from "./failure.mjs";
import { inRoot, projectNode, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";
import { keptSecret } from "./secrets.mjs";

/**
 * The account that the seed makes on its first run. Its password is made here, because `npm start` can be asked to listen on every address.
 * @param {string} dataDir
 */
export function demoAccount(dataDir) {
  const password = process.env.GANTRY_DEMO_PASSWORD || keptSecret(dataDir, "demo-password", () => randomBytes(6).toString("hex"));
  return { email: "demo@gantry.local", password };
}

/** Fills in what every installation has: platform presets, the demo organisation. Safe to repeat. */
export async function seed(env, { password }) {
  await step("Seed", async () => {
    const result = await run(projectNode, [inRoot("prisma", "seed.ts")], {
      cwd: root,
      env: { ...process.env, ...env, GANTRY_DEMO_PASSWORD: password },
      limitMs: 120_000,
    });
    if (result.code !== 0) throw new Failure(`The seed failed:\n${result.output.slice(-3000)}`);
  });
}
