import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inRoot } from "./paths.mjs";

const skipped = new Set(["node_modules", ".next", "test", "e2e", "generated", "test-results", "README.md", "next-env.d.ts"]);

/**
 * A hash over the contents of files and folders of the checkout; tests, documents and generated files do not count.
 * @param {string[]} inputs relative to the checkout
 */
export function hashOf(inputs) {
  const hash = createHash("sha256").update(process.arch);
  for (const file of inputs.flatMap((input) => filesBelow(inRoot(input))).sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/**
 * Runs `make` unless the last run had the same inputs and its output is still there.
 * @param {{ name: string, inputs: string[], output: string }} options `output`: absolute path that `make` leaves
 * @returns whether it ran
 */
export async function whenChanged({ name, inputs, output }, make) {
  const stamp = inRoot("node_modules", ".cache", "gantry", `${name}.sha256`);
  const hash = hashOf(inputs);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
  await make();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

function filesBelow(entry) {
  if (!existsSync(entry)) return [];
  if (statSync(entry).isFile()) return [entry];
  return readdirSync(entry)
    .filter((name) => !skipped.has(name))
    .flatMap((name) => filesBelow(path.join(entry, name)));
}
