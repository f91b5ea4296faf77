import { createLogger, loadEnv } from "@gantry/platform";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolConfig } from "pg";
import { PrismaClient } from "./generated/client.ts";

type Connections = { prisma?: PrismaClient; eventPool?: Pool };

/** On globalThis: a dev server that reloads modules keeps one set of connections. Made on first use, so importing connects to nothing. */
const holder = globalThis as { gantryDatabase?: Connections };
holder.gantryDatabase ??= {};
const held = holder.gantryDatabase;

export function prisma(): PrismaClient {
  held.prisma ??= new PrismaClient({
    adapter: new PrismaPg({ ...poolConfig(), max: loadEnv().DATABASE_POOL_MAX }, { onPoolError: logBroken, onConnectionError: logBroken }),
  });
  return held.prisma;
}

/** The event store's own connections: they pipeline, which Prisma's must not, and a page of queries never keeps a log write waiting. */
export function eventPool(): Pool {
  if (held.eventPool) return held.eventPool;
  const pool = new Pool({ ...poolConfig(), max: Math.max(2, Math.ceil(loadEnv().DATABASE_POOL_MAX / 2)), pipeline: true });
  pool.on("error", logBroken);
  // a connection that breaks while it is in use reports it twice, to its queries and here; unheard it would end the process
  pool.on("connect", (client) => client.on("error", logBroken));
  held.eventPool = pool;
  return pool;
}

/** Ends all connections of this process; the next use makes new ones. */
export async function closeDatabase(): Promise<void> {
  const { prisma: client, eventPool: pool } = held;
  delete held.prisma;
  delete held.eventPool;
  await Promise.all([client?.$disconnect(), pool?.end()]);
}

/** Waits have limits on both sides: the server ends a statement, and the client gives up on a server that no longer answers. */
function poolConfig(): PoolConfig {
  return {
    connectionString: loadEnv().DATABASE_URL,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: "gantry",
  };
}

function logBroken(err: Error): void {
  createLogger("db").warn({ err }, "a database connection ended; the next query opens another");
}
