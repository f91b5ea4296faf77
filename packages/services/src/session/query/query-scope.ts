import { type QueryCaller, queryError, type SessionId, type WorkspaceId } from "@gantry/contracts";
import { tenantRows } from "@gantry/db";

/** What a caller may see: the sessions of one workspace, or of every workspace of the org. */
export type QueryScope = { readonly workspaceId: WorkspaceId | null };
/** Header of a session that the caller may read. */
export type ReadableSession = {
  readonly id: SessionId;
  readonly workspaceId: WorkspaceId;
  readonly parentId: string | null;
  readonly title: string | null;
  readonly createdAt: number;
  readonly nextSeq: number;
  readonly isLive: boolean;
};

/** The one answer for a session that is not there and one that the caller may not see (AG-031). */
export function querySessionNotFound() {
  return queryError("SESSION_NOT_FOUND", "There is no such session in this workspace.");
}

const scope = {
  name: "query-scope",
  text: `
    SELECT (SELECT s.workspace_id FROM sessions s WHERE s.org_id = $1 AND s.id = $3) AS "workspaceId"
    FROM memberships m WHERE m.org_id = $1 AND m.user_id = $2`,
};

/** @throws SESSION_NOT_FOUND when the person is no member (any more), or an agent's own session is gone */
export async function openScope({ orgId, userId, sessionId }: QueryCaller): Promise<QueryScope> {
  const [row] = await tenantRows<{ workspaceId: WorkspaceId | null }>(orgId, scope, [orgId, userId, sessionId ?? null]);
  if (!row || (sessionId !== undefined && row.workspaceId === null)) throw querySessionNotFound();
  return { workspaceId: row.workspaceId };
}

/** The columns of a readable session, for statements that call it `s`. */
export const sessionColumns = `
  s.id, s.workspace_id AS "workspaceId", s.parent_id AS "parentId", s.title, s.next_seq AS "nextSeq",
  (extract(epoch FROM s.created_at) * 1000)::float8 AS "createdAt",
  EXISTS (SELECT FROM session_leases l WHERE l.org_id = s.org_id AND l.session_id = s.id AND l.expires_at > now()) AS "isLive"`;

const sessions = (name: string, condition: string) => ({
  name: `query-sessions-${name}`,
  text: `
    SELECT ${sessionColumns} FROM sessions s
    WHERE s.org_id = $1 AND ($2::uuid IS NULL OR s.workspace_id = $2) AND ${condition} ORDER BY s.created_at, s.id LIMIT $4`,
});
const byId = sessions("by-id", "s.id = ANY ($3::uuid[])");
const byParent = sessions("by-parent", "s.parent_id = ANY ($3::uuid[])");

/** Those of the ids that are sessions the caller may see; anything else is left out without a trace. */
export function findReadable(caller: QueryCaller, { workspaceId }: QueryScope, ids: readonly string[]): Promise<ReadableSession[]> {
  const known = [...new Set(ids.filter((id) => isId(id)).map((id) => id.toLowerCase()))];
  return tenantRows<ReadableSession>(caller.orgId, byId, [caller.orgId, workspaceId, known, known.length]);
}

/** Forks of these sessions that the caller may see, oldest first. */
export function findForks(caller: QueryCaller, { workspaceId }: QueryScope, parents: readonly string[], limit: number) {
  return tenantRows<ReadableSession>(caller.orgId, byParent, [caller.orgId, workspaceId, parents, limit]);
}

/**
 * Reads something of one session, the caller's own when none is named. The right to it is looked at before and again afterwards, so that nothing is handed
 * out that was taken away meanwhile (QRY-5). @throws SESSION_NOT_FOUND
 */
export async function readSession<T>(
  caller: QueryCaller,
  sessionId: string | undefined,
  read: (session: ReadableSession, scope: QueryScope) => Promise<T>,
): Promise<T> {
  const find = async () => {
    const within = await openScope(caller);
    const [session] = await findReadable(caller, within, [sessionId ?? caller.sessionId ?? ""]);
    if (!session) throw querySessionNotFound();
    return { session, within };
  };
  const { session, within } = await find();
  const value = await read(session, within);
  await find();
  return value;
}

export const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
