import { loadEnv } from "@gantry/platform";
import { Client } from "pg";

/** A connection as the owner of the schema, for migrations, the seed and tests. A serving process has no address for it. */
export type Owner = {
  query<R extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
};

/** Connects as the owner, to `database` when named. @throws Error when MIGRATION_DATABASE_URL is not set */
export async function connectOwner(database?: string): Promise<Owner> {
  const address = loadEnv().MIGRATION_DATABASE_URL;
  if (!address) throw new Error("MIGRATION_DATABASE_URL is missing: this needs the owner of the schema.");
  const client = new Client({
    connectionString: onDatabase(address, database),
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
  });
  await client.connect();
  return {
    query: async <R extends Record<string, unknown>>(text: string, values?: unknown[]) => (await client.query<R>(text, values)).rows,
    close: () => client.end(),
  };
}

/** The same address with another database. */
export function onDatabase(address: string, database: string | undefined): string {
  if (database === undefined) return address;
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}
