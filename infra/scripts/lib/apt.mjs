import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { Failure } from "./failure.mjs";
import { findProgram, run } from "./run.mjs";

const quiet = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
let updated = false;

/** Whether this process may install system packages. */
export const canInstall = () => process.getuid?.() === 0 && findProgram("apt-get") !== null;

/**
 * Installs Debian packages (root only). The package lists are refreshed when the first attempt fails.
 * @throws Failure with the tail of apt's own words
 */
export async function aptInstall(packages) {
  const install = ["install", "-y", "--no-install-recommends", ...packages];
  let result = await run("apt-get", install, { env: quiet });
  if (result.code !== 0 && !updated) {
    await run("apt-get", ["update"], { env: quiet });
    updated = true;
    result = await run("apt-get", install, { env: quiet });
  }
  if (result.code === 0) return;
  throw new Failure(`apt-get could not install ${packages.join(", ")}:\n${result.output.split("\n").slice(-12).join("\n")}`);
}

/**
 * Unpacks Debian packages into a private folder without root and without touching the system.
 * @param {string[]} packages
 * @param {string} dir receives the unpacked tree under `root/`
 * @returns the unpacked tree
 */
export async function aptUnpack(packages, dir) {
  const downloads = path.join(dir, "debs");
  for (const part of ["debs", "state/lists/partial", "cache/archives/partial", "root"])
    mkdirSync(path.join(dir, part), { recursive: true });
  const state = ["-o", `Dir::State=${dir}/state`, "-o", `Dir::Cache=${dir}/cache`, "-o", "Dir::State::status=/var/lib/dpkg/status"];
  for (const args of [["update"], ["download", ...packages]]) {
    const result = await run("apt-get", [...state, ...args], { cwd: downloads, env: quiet });
    if (result.code !== 0) throw new Failure(`apt-get ${args[0]} failed:\n${result.output.slice(-1200)}`);
  }
  const tree = path.join(dir, "root");
  for (const name of readdirSync(downloads).filter((name) => name.endsWith(".deb"))) {
    const result = await run("dpkg", ["-x", path.join(downloads, name), tree]);
    if (result.code !== 0) throw new Failure(`dpkg could not unpack ${name}:\n${result.output.slice(-1200)}`);
  }
  return tree;
}
