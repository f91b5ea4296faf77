import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { inRoot } from "../lib/paths.mjs";
import { prismaCommand, prismaEnv } from "../lib/prisma.mjs";
import { run } from "../lib/run.mjs";

const owner = process.env.MIGRATION_DATABASE_URL;
const database = `gantry_migrate_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
const url = new URL(owner);
url.pathname = `/${database}`;
const dir = mkdtempSync(path.join(tmpdir(), "gantry-migrate-"));
const model = (fields) => `datasource db {\n  provider = "postgresql"\n}\nmodel Item {\n  id Int @id\n  ${fields}\n}\n`;

before(() => {
  symlinkSync(inRoot("node_modules"), path.join(dir, "node_modules"));
  writeFileSync(path.join(dir, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(dir, "schema.prisma"), model("name String"));
  const config = { schema: "schema.prisma", migrations: { path: "migrations" }, datasource: { url: url.href } };
  writeFileSync(path.join(dir, "prisma.config.ts"), `export default ${JSON.stringify(config)};`);
});
after(async () => {
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await client.end();
  rmSync(dir, { recursive: true, force: true });
});

async function prisma(...args) {
  const [file, ...rest] = prismaCommand(args);
  return run(file, rest, { cwd: dir, env: prismaEnv() });
}

async function query(sql) {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

function addMigration(name, sql) {
  mkdirSync(path.join(dir, "migrations", name), { recursive: true });
  writeFileSync(path.join(dir, "migrations", name, "migration.sql"), sql);
}

const deploy = () => prisma("migrate", "deploy");
const drift = () => prisma("migrate", "diff", "--from-migrations", "migrations", "--to-schema", "schema.prisma", "--exit-code");

test("a migration is written from the schema, and deployed into a database that did not exist", async () => {
  const created = await prisma("migrate", "dev", "--create-only", "--name", "init");
  assert.equal(created.code, 0, created.output);
  const deployed = await deploy();
  assert.equal(deployed.code, 0, deployed.output);
  assert.deepEqual(await query('SELECT count(*)::int AS n FROM "Item"'), [{ n: 0 }]);
});

test("a hand-written function keeps its semicolons", async () => {
  addMigration("29990101000000_fn", "CREATE FUNCTION three() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 3; END; $$;");
  const deployed = await deploy();
  assert.equal(deployed.code, 0, deployed.output);
  assert.deepEqual(await query("SELECT three()"), [{ three: 3 }]);
});

test("of two deploys at once one applies, the other finds nothing, and the migration runs once", async () => {
  addMigration("29990101000001_once", "CREATE TABLE once (id int); INSERT INTO once VALUES (1);");
  const results = await Promise.all([deploy(), deploy()]);
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0],
    results.map(({ output }) => output).join("\n"),
  );
  assert.deepEqual(await query("SELECT count(*)::int AS n FROM once"), [{ n: 1 }]);
});

test("CP-58 five deploys at once on old data: one migrates, all end well, and who reads the old columns meanwhile is served", {
  timeout: 300_000,
}, async () => {
  await query(`INSERT INTO "Item" (id, name) VALUES (1, 'old')`);
  // where there is a row: longer than Prisma itself waits for its lock, and until the four others wait, however late the last one starts
  const slow = `DO $$ BEGIN
    IF EXISTS (SELECT FROM "Item") THEN
      PERFORM pg_sleep(12);
      FOR look IN 1..1500 LOOP
        EXIT WHEN 4 = (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()));
        PERFORM pg_sleep(0.1);
      END LOOP;
    END IF;
  END $$;`;
  addMigration("29990101000001_slow", `${slow} ALTER TABLE once ADD COLUMN more int; INSERT INTO once VALUES (2);`);
  let isOver = false;
  const reading = (async () => {
    let reads = 0;
    for (; !isOver; reads++) assert.deepEqual(await query('SELECT id, name FROM "Item"'), [{ id: 1, name: "old" }]);
    return reads;
  })();
  const results = await Promise.all([1, 2, 3, 4, 5].map(deploy));
  isOver = true;
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0, 0, 0, 0],
    results.map(({ output }) => output).join("\n"),
  );
  assert.equal(results.filter(({ output }) => output.includes("Another deploy migrates this database")).length, 4);
  assert.ok((await reading) > 1);
  assert.deepEqual(
    await query("SELECT id, more FROM once ORDER BY id"),
    [1, 2].map((id) => ({ id, more: null })),
  );
});

test("a migration that fails leaves nothing behind and can be resolved", async () => {
  addMigration("29990101000002_bad", "CREATE TABLE half (id int); SELECT no_such_column FROM half;");
  const failed = await deploy();
  assert.notEqual(failed.code, 0);
  assert.deepEqual(await query("SELECT to_regclass('half') AS half"), [{ half: null }]);
  assert.equal((await prisma("migrate", "resolve", "--rolled-back", "29990101000002_bad")).code, 0);
  addMigration("29990101000002_bad", "DROP TABLE once;");
  assert.equal((await deploy()).code, 0);
});

test("drift between migrations and schema is exit code 2, none is 0; no shadow database stays", async () => {
  const same = await drift();
  assert.equal(same.code, 0, same.output);
  writeFileSync(path.join(dir, "schema.prisma"), model("name String\n  size Int?"));
  const differs = await drift();
  assert.equal(differs.code, 2, differs.output);
  assert.match(differs.output, /size/);
  assert.deepEqual(await query("SELECT datname FROM pg_database WHERE datname LIKE 'prisma_migrate_shadow%'"), []);
});
