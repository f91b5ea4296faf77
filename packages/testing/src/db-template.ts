import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { platformPresetIds } from "@gantry/db";
import { connectOwner, type Owner } from "@gantry/db/owner";
import { writePlatformPreset } from "@gantry/db/write-platform-preset";

const migrationsDir = fileURLToPath(new URL("../../../prisma/migrations/", import.meta.url));
/** Any number, the same for everybody: one process builds the template while the others wait. */
const lockKey = 7_301_944;

/**
 * Name of a database with all migrations applied; built once for each state of the migrations, by whichever test process comes first. The files are
 * run as they are: that the migration command applies them too is tested where that command is.
 */
export async function ensureTemplate(): Promise<string> {
  const migrations = await readMigrations();
  const name = `gantry_template_${createHash("sha256").update(migrations.join("\0")).digest("hex").slice(0, 16)}`;
  const server = await connectOwner();
  try {
    await server.query("SELECT pg_advisory_lock($1)", [lockKey]);
    const [existing] = await server.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (!existing) await build(server, name, migrations);
    return name;
  } finally {
    await server.close(); // which also gives the lock back
  }
}

/** Under a name of its own first: a build that was cut off must not look like a template. */
async function build(server: Owner, name: string, migrations: string[]): Promise<void> {
  const unfinished = `${name}_new`;
  await server.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${unfinished}`);
  const owner = await connectOwner(unfinished);
  try {
    for (const sql of migrations) await owner.query(sql);
    const standard = { id: platformPresetIds.standard, slug: "standard", revision: 1, name: "Standard", description: "", position: 1 };
    await writePlatformPreset(owner, { ...standard, rows: [] });
  } finally {
    await owner.close();
  }
  await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

async function readMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(folders.sort().map((folder) => readFile(`${migrationsDir}${folder}/migration.sql`, "utf8")));
}
