import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startComposition } from "./composition-support.ts";
import { openWorld } from "./support.ts";

const root = new URL("../../../", import.meta.url);
const guide = await readFile(new URL("docs/how-to/change-a-composition.md", root), "utf8");
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map((match) => match[1] ?? "");
const world = await openWorld();

/** A data folder as `npm start` leaves it while it runs: no variable of the installation is in the environment of the one who asks. */
const dataDir = await mkdtemp(join(tmpdir(), "gantry-how-to-"));
after(() => rm(dataDir, { recursive: true }));
await mkdir(join(dataDir, "run"));
const variables = Object.entries(world.env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${asText(value)}\n`]));
await writeFile(join(dataDir, "run", "installation.env"), variables.join(""));

/** One of the guide's commands, as a person at the root of the repository runs it, for another organisation. */
async function run(command: string, slug: string, folder = dataDir): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, GANTRY_DATA_DIR: folder };
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command.replace("acme", slug)], { cwd: fileURLToPath(root), env });
  assert.equal(stderr, `Using the installation over ${folder} (${world.env.NEXTAUTH_URL}).\n`);
  return stdout;
}

function asText(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString("base64");
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

test("D-1 the composition of the how-to is saved as it stands, and the command line prints what the page shows", async () => {
  const { tenant, get, save } = await startComposition(world);
  const [patches = ""] = blocks("yaml");
  const [dump = "", diff = ""] = blocks("sh");
  assert.deepEqual(await save(patches, 0), { revision: 1, problems: [], affectedPresets: [] });
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

test("a command without an installation says where it looked and what to do", async () => {
  const empty = join(dataDir, "nothing-here");
  const [dump = ""] = blocks("sh");
  await assert.rejects(run(dump, "acme", empty), (error: { stderr: string; code: number }) => {
    assert.equal(error.code, 1);
    assert.match(error.stderr, new RegExp(`^No installation runs over ${empty}\\. Start it with \`npm start\``));
    return true;
  });
});
