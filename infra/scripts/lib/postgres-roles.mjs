/**
 * Makes the database and its two roles, or brings them up to date. The owner runs migrations; `gantry_app` is what the
 * processes use: it owns nothing and cannot bypass row-level security.
 * @param {{ port: number, secret: (name: string) => string }} options
 */
export async function ensureRoles({ port, secret }) {
  const { default: pg } = await import("pg");
  const urlOf = (role, password, database) => `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
  const owner = secret("postgres-owner");
  const app = secret("postgres-app");
  const client = new pg.Client({
    connectionString: urlOf("postgres", secret("postgres-superuser"), "postgres"),
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    // whoever brings the server up does it alone: two changes of one role at once fail
    await client.query("SELECT pg_advisory_lock(7301943)");
    // CREATEDB: migrations are checked in a shadow database, tests work in copies of a template
    await ensureRole(client, "gantry_owner", `LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB PASSWORD '${owner}'`);
    await ensureRole(client, "gantry_app", `LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD '${app}'`);
    // a database that the processes are connected to can be dropped by its owner: tests do that with their copies
    await client.query("GRANT pg_signal_backend TO gantry_owner");
    await ensureDatabase(client);
  } finally {
    await client.end();
  }
  return { DATABASE_URL: urlOf("gantry_app", app, "gantry"), MIGRATION_DATABASE_URL: urlOf("gantry_owner", owner, "gantry") };
}

async function ensureRole(client, role, attributes) {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  await client.query(`${rowCount ? "ALTER" : "CREATE"} ROLE ${role} ${attributes}`);
}

async function ensureDatabase(client) {
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'gantry'");
  if (!rowCount) await client.query("CREATE DATABASE gantry OWNER gantry_owner");
  await client.query("REVOKE ALL ON DATABASE gantry FROM PUBLIC");
  await client.query("GRANT CONNECT ON DATABASE gantry TO gantry_app");
}
