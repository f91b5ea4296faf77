import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.mjs";
import { inRoot, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

const lockFile = inRoot("package-lock.json");
/** Inside node_modules, so that it goes when that goes. */
const stamp = inRoot("node_modules", ".gantry-lock.sha256");

/** Installs the dependencies with `npm ci` unless node_modules holds what package-lock.json asks for. */
export async function ensureDependencies() {
  const wanted = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  if (wasInstalledFrom(wanted) || isCurrentByHand()) return;
  await step("Installing dependencies (npm ci)", async () => {
    const result = await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: root });
    if (result.code !== 0) throw new Failure(`npm ci failed:\n${result.output.slice(-3000)}`);
    writeFileSync(stamp, wanted);
  });
}

const wasInstalledFrom = (hash) => existsSync(stamp) && readFileSync(stamp, "utf8") === hash;

/**
 * After an `npm install` by hand: compares the lock file with the copy that npm writes at the end of an install.
 * Optional packages of other platforms are missing from that copy.
 */
function isCurrentByHand() {
  const copy = inRoot("node_modules", ".package-lock.json");
  if (!existsSync(copy)) return false;
  const present = packagesOf(copy);
  const isThere = ([name, { version, optional }]) => (present[name] ? present[name].version === version : optional === true);
  return Object.entries(packagesOf(lockFile))
    .filter(([name]) => name.includes("node_modules/"))
    .every(isThere);
}

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
