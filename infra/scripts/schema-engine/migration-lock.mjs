import pg from "pg";

/** Any number, the same for all deploys of a database, and not the one of the engine's own lock. */
const lockKey = 5_902_117;
/** How long a deploy waits for another one, in ms. */
const waitMs = 30 * 60_000;

/**
 * Runs `apply` while no other deploy migrates this database (CP-58). The engine has a lock of its own, but gives up after ten seconds: with a longer
 * migration every other replica of a rolling deploy would fail. @throws Error when the other one takes more than half an hour
 */
export async function asOnlyMigrator(url, { apply, onWait }) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, statement_timeout: waitMs });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS taken", [lockKey]);
    if (!rows[0].taken) {
      onWait();
      await client.query("SELECT pg_advisory_lock($1)", [lockKey]).catch((cause) => {
        throw new Error("Another deploy has been migrating this database for half an hour. Look at what it does, then try again.", {
          cause,
        });
      });
    }
    return await apply();
  } finally {
    await client.end(); // which also gives the lock back
  }
}
