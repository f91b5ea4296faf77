import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "./failure.mjs";
import { inRoot, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

const stamp = inRoot("node_modules", ".cache", "gantry-lock.sha256");

/** Installs the dependencies with `npm ci` when they are missing or package-lock.json has changed since. */
export async function ensureDependencies() {
  const wanted = createHash("sha256")
    .update(readFileSync(inRoot("package-lock.json")))
    .digest("hex");
  if (installed(wanted)) return;
  await step("Installing dependencies (npm ci)", async () => {
    const result = await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, env: { ...process.env, NODE_ENV: "development" } });
    if (result.code !== 0) throw new Failure(`npm ci failed:\n${result.output.slice(-3000)}`);
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
  });
}

/** npm keeps its own copy of the lock file; a hand-made install without our stamp counts when that copy is not older. */
function installed(wanted) {
  if (!existsSync(inRoot("node_modules", ".package-lock.json"))) return false;
  if (existsSync(stamp)) return readFileSync(stamp, "utf8") === wanted;
  return false;
}
