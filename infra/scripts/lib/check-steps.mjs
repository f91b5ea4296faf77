import { inRoot, projectNode, root } from "./paths.mjs";
import { findProgram, run } from "./run.mjs";

const bin = (name) => inRoot("node_modules", ".bin", name);
const node = (...args) => [projectNode, ...args];

/** The checks that look at sources only. `isPossible` says why a step cannot run here, or null. */
export const checkSteps = [
  { name: "format and lint", command: [bin("biome"), "ci", "--error-on-warnings", "--colors=off", "--max-diagnostics=30", "."] },
  { name: "types of the server side", command: node(inRoot("node_modules/typescript/bin/tsc"), "-p", "tsconfig.json") },
  { name: "types of the web app", command: node(inRoot("node_modules/typescript/bin/tsc"), "-p", "apps/web/tsconfig.json") },
  {
    name: "boundaries",
    command: node(
      inRoot("node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
      ...["packages", "apps", "prisma", "--config", ".dependency-cruiser.cjs", "--output-type", "err"],
    ),
  },
  { name: "dead code", command: node(inRoot("node_modules/knip/bin/knip.js"), "--no-progress") },
  { name: "copies", command: node(inRoot("node_modules/jscpd/bin/jscpd"), "--silent", "--exitCode", "1", ".") },
  { name: "compose file", command: ["docker", "compose", "config", "--quiet"], env: composeSecrets(), isPossible: hasCompose },
];

/**
 * Runs one check; its output is shown when it fails. Counts as one test.
 * @param {{ name: string, command: string[], env?: object, isPossible?: () => Promise<string | null> }} check
 * @returns a remark for the progress line
 */
export async function runCheck({ name, command, env = {}, isPossible }, tally) {
  const hindrance = await isPossible?.();
  if (hindrance) {
    tally.skip(name, hindrance);
    return `skipped: ${hindrance}`;
  }
  const [file, ...args] = command;
  const result = await run(file, args, { cwd: root, env: { ...process.env, ...env, NO_COLOR: "1" }, limitMs: 600_000 });
  if (result.code === 0) {
    tally.pass();
    return "ok";
  }
  tally.fail(name);
  process.stdout.write(`${result.output.trim().slice(-12_000)}\n`);
  return "FAILED";
}

async function hasCompose() {
  if (!findProgram("docker")) return "docker is not installed";
  const { code } = await run("docker", ["compose", "version"]);
  return code === 0 ? null : "docker compose is not installed";
}

/** The file refuses to be read without its secrets; any value will do here. */
function composeSecrets() {
  const names = ["GANTRY_MASTER_KEY", "NEXTAUTH_SECRET", "NEXTAUTH_URL", "POSTGRES_PASSWORD", "GANTRY_OWNER_PASSWORD"];
  return Object.fromEntries([...names, "GANTRY_APP_PASSWORD", "REDIS_PASSWORD"].map((name) => [name, "unset"]));
}
