import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startComposition } from "./composition-support.ts";
import { openWorld } from "./support.ts";

const root = new URL("../../../", import.meta.url);
const guide = await readFile(new URL("docs/how-to/change-a-composition.md", root), "utf8");
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map((match) => match[1] ?? "");
const world = await openWorld();

/** One of the guide's commands, as a person at the root of the repository runs it, for another organisation. */
async function run(command: string, slug: string): Promise<string> {
  const values = Object.entries(world.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, asText(value)]]));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...Object.fromEntries(values) };
  const { stdout } = await promisify(execFile)("sh", ["-c", command.replace("acme", slug)], { cwd: fileURLToPath(root), env });
  return stdout;
}

const asText = (value: unknown): string =>
  Buffer.isBuffer(value) ? value.toString("base64") : typeof value === "boolean" ? String(Number(value)) : String(value);

test("D-1 the composition of the how-to is saved as it stands, and the command line prints what the page shows", async () => {
  const { tenant, get, save } = await startComposition(world);
  const [patches = ""] = blocks("yaml");
  const [dump = "", diff = ""] = blocks("sh");
  assert.deepEqual(await save(patches, 0), { revision: 1, problems: [] });
  const view = await get();
  assert.deepEqual([view.problems, view.warnings], [[], []]);
  const states = view.dump.rows.filter(({ row }) => row.id.startsWith("subprocess-")).map(({ row, outcome }) => [row.id, outcome?.state]);
  assert.deepEqual(states, [
    ["subprocess-sandbox", "disabled"],
    ["subprocess-dry-run", "mounts"],
  ]);
  assert.equal(await run(dump, tenant.slug), view.text);
  const lines = (await run(diff, tenant.slug)).split("\n").filter((line) => line.includes("subprocess"));
  assert.deepEqual(lines, [
    "~ subprocess-sandbox.disabled: (not set) → true  # org@1",
    "+ - id: subprocess-dry-run",
    "+   name: subprocess-dry-run  # org@1",
  ]);
});
