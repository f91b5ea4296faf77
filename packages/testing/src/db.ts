import { after } from "node:test";
import type { OrgId } from "@gantry/contracts";
import { closeDatabase } from "@gantry/db";
import { connectOwner, onDatabase } from "@gantry/db/owner";
import { type Env, loadEnv, newId, overrideEnv } from "@gantry/platform";
import { type Factories, factories } from "./db-factories.ts";
import { ensureTemplate } from "./db-template.ts";
import { testEnv } from "./test-env.ts";

export { testEnv } from "./test-env.ts";

export type TestDatabase = Factories & {
  readonly env: Env;
  /** Runs SQL as the schema's owner: row-level security binds it too, so name the org whose rows are meant (null: platform rows only). */
  asOwner<R extends Record<string, unknown>>(orgId: OrgId | null, text: string, values?: unknown[]): Promise<R[]>;
};

/**
 * A database of its own for a test file, migrated, with the preset `standard` and nothing else; this process's `loadEnv()` points at it. It is a copy
 * of a template, so it costs some 50 ms. It is dropped, and the process's connections are closed, when the file's tests are done.
 */
export async function testDatabase(values: Readonly<Record<string, string>> = {}): Promise<TestDatabase> {
  const database = await openTestDatabase(values);
  after(() => database.close());
  return database;
}

/** {@link testDatabase} for programs that are no test, such as a benchmark: the caller closes it. */
export async function openTestDatabase(values: Readonly<Record<string, string>> = {}): Promise<TestDatabase & { close(): Promise<void> }> {
  const base = testEnv(values);
  const template = await ensureTemplate();
  const name = `gantry_test_${newId().replaceAll("-", "")}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await onServer(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await onServer(`GRANT CONNECT ON DATABASE ${name} TO gantry_app`);
  overrideEnv({
    DATABASE_URL: onDatabase(base.DATABASE_URL, name),
    MIGRATION_DATABASE_URL: onDatabase(base.MIGRATION_DATABASE_URL ?? "", name),
  });
  const close = async (): Promise<void> => {
    await closeDatabase();
    overrideEnv({ DATABASE_URL: base.DATABASE_URL, MIGRATION_DATABASE_URL: base.MIGRATION_DATABASE_URL });
    // without FORCE: Postgres waits some seconds for connections that are on their way out, and the owner may not end another role's
    await onServer(`DROP DATABASE ${name}`);
  };
  const asOwner: TestDatabase["asOwner"] = async (orgId, text, params) => {
    const owner = await connectOwner(name);
    try {
      await owner.query("SELECT set_config('app.org_id', $1, false)", [orgId ?? ""]);
      return await owner.query(text, params);
    } finally {
      await owner.close();
    }
  };
  return { env: loadEnv(), asOwner, close, ...factories };
}

async function onServer(statement: string): Promise<void> {
  const owner = await connectOwner();
  try {
    await owner.query(statement);
  } finally {
    await owner.close();
  }
}
