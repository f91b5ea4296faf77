import type { Socket } from "node:net";
import type { OrgId, UserId } from "@gantry/contracts";
import type { PoolClient, QueryResult } from "pg";
import { eventPool } from "./connections.ts";
import { rethrow } from "./outage.ts";

/** A statement of the hot path. It is prepared under its name once a connection. */
export type Statement = { readonly name: string; readonly text: string };
export type Row = Record<string, unknown>;

/**
 * Runs statements in one transaction of a tenant, all sent at once: begin, tenant, statements and commit cost one network round trip together.
 * A later statement cannot depend on an earlier answer; put such a dependency into one statement.
 * @throws UNAVAILABLE when Postgres does not answer; the error of the first failing statement otherwise, and then nothing was written
 */
export async function tenantQueries<R extends Row>(orgId: OrgId, ...statements: [Statement, unknown[]][]): Promise<QueryResult<R>[]> {
  return boundQueries<R>("org", orgId, statements);
}

const binding = {
  org: { name: "tenant", text: "SELECT set_config('app.org_id', $1, true)" },
  user: { name: "person", text: "SELECT set_config('app.user_id', $1, true)" },
};

async function boundQueries<R extends Row>(
  to: keyof typeof binding,
  id: string,
  statements: [Statement, unknown[]][],
): Promise<QueryResult<R>[]> {
  const client = await eventPool().connect().catch(rethrow);
  const sent = together(client, () => [
    client.query("BEGIN"),
    client.query({ ...binding[to], values: [id] }),
    ...statements.map(([statement, values]) => client.query<R>({ ...statement, values })),
    client.query("COMMIT"),
  ]);
  const settled = await Promise.allSettled(sent);
  const failed = settled.find((result) => result.status === "rejected");
  // COMMIT has ended the transaction either way; a connection that broke is thrown away
  client.release(failed ? failed.reason : undefined);
  if (failed) return rethrow(failed.reason);
  return settled.slice(2, -1).map((result) => (result as PromiseFulfilledResult<QueryResult<R>>).value);
}

/** What `send` writes leaves as one packet: each write of its own is a system call here and a wake-up there. */
function together<T>(client: PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** {@link tenantQueries} for a single statement's rows. */
export async function tenantRows<R extends Row>(orgId: OrgId, statement: Statement, values: unknown[]): Promise<R[]> {
  const [result] = await tenantQueries<R>(orgId, [statement, values]);
  return result?.rows ?? [];
}

/** As {@link tenantRows}, as a person: their own user, logins, memberships, and the orgs those name. @throws UNAVAILABLE */
export async function userRows<R extends Row>(userId: UserId, statement: Statement, values: unknown[]): Promise<R[]> {
  const [result] = await boundQueries<R>("user", userId, [[statement, values]]);
  return result?.rows ?? [];
}
