import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findProgram, run } from "./run.mjs";

/**
 * Removes what a stopped broker leaves for its successor: the containers of this data folder and the mounted workspace volumes.
 * The files of the workspaces stay in their volumes.
 * @returns how many containers there were
 */
export async function removeWorlds(dataDir) {
  const containers = await listContainers(dataDir);
  if (containers.length > 0) await run("docker", ["rm", "-f", ...containers], { limitMs: 60_000 });
  await unmountBelow(dataDir);
  return containers.length;
}

/** The broker labels its containers with the hash of its data folder. */
async function listContainers(dataDir) {
  if (!findProgram("docker")) return [];
  const installation = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const { code, stdout } = await run("docker", ["ps", "-aq", "--filter", `label=gantry.installation=${installation}`], { limitMs: 15_000 });
  return code === 0 ? stdout.split("\n").filter(Boolean) : [];
}

async function unmountBelow(dir) {
  if (process.platform !== "linux") return;
  const points = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1]?.replaceAll("\\040", " "));
  for (const point of points.filter((entry) => entry?.startsWith(`${dir}/`)).reverse()) await run("umount", ["-l", point]);
}
