import pg from "pg";

/** Connects once. @throws the driver's error */
export async function probeDatabase(url) {
  await withClient(url, () => {});
}

/** Creates the database that the URL names and returns its name. The maintenance database `postgres` is the way in. */
export async function createDatabase(url) {
  const name = nameOf(url);
  const create = `CREATE DATABASE ${pg.escapeIdentifier(name)}`;
  await withClient(withDatabase(url, "postgres"), (client) => client.query(create).catch(unlessMade));
  return name;
}

/** Another deploy may have made it in the same moment: that is what was wanted. */
function unlessMade(error) {
  if (!["42P04", "23505"].includes(error.code)) throw error;
}

/** The same server and role, another database. */
export function withDatabase(url, database) {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

const nameOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1));

async function withClient(url, use) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
