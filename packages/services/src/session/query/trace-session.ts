import { type LineageNode, type QueryCaller, queryError, type SessionHeader, type SessionLineage } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { findForks, findReadable, type QueryScope, type ReadableSession, readSession } from "./query-scope.ts";

/** How many sessions a tree shows, and how long a line of ancestors may be. */
const maxNodes = 500;
const maxAncestors = 1_000;

/**
 * Where a session comes from and what was forked from it (QRY-8, SES-25). What the caller may not see is one `outside`, with everything below it (AG-033).
 * Never recursive, so that a long or damaged line ends. @throws SESSION_QUERY_INVALID_LINEAGE for a line that leads back to itself, …_SESSION_NOT_FOUND
 */
export async function traceSession(caller: QueryCaller, { sessionId }: { sessionId?: string }): Promise<SessionLineage> {
  return readSession(caller, sessionId, async (session, scope) => {
    const ancestors = await findAncestors(caller, scope, session);
    const { children, isCut } = await findDescendants(caller, scope, session);
    return { ancestors, target: { ...headerOf(session), children }, isCut };
  });
}

async function findAncestors(caller: QueryCaller, scope: QueryScope, session: ReadableSession): Promise<(SessionHeader | "outside")[]> {
  const line: (SessionHeader | "outside")[] = [];
  const seen = new Set<string>([session.id]);
  for (let id = session.parentId; id !== null; ) {
    if (seen.has(id) || seen.size > maxAncestors) throw queryError("INVALID_LINEAGE", "The line of this session leads back to itself.");
    seen.add(id);
    const [parent] = await findReadable(caller, scope, [id]);
    // removed and not to be seen are one answer
    line.push(parent ? headerOf(parent) : "outside");
    id = parent?.parentId ?? null;
  }
  return line;
}

type Building = SessionHeader & { children: LineageNode[] };

async function findDescendants(caller: QueryCaller, scope: QueryScope, session: ReadableSession) {
  const root: Building = { ...headerOf(session), children: [] };
  const nodes = new Map<string, Building>([[session.id, root]]);
  let level: string[] = [session.id];
  let isCut = false;
  while (level.length > 0 && !isCut) {
    const forks = await findForks(caller, scope, level, maxNodes + 1);
    const hidden = await parentsWithHiddenForks(caller, scope, level);
    isCut = nodes.size + forks.length > maxNodes;
    const next: string[] = [];
    for (const fork of forks.slice(0, maxNodes - nodes.size)) {
      if (nodes.has(fork.id)) throw queryError("INVALID_LINEAGE", "The line of this session leads back to itself.");
      const node: Building = { ...headerOf(fork), children: [] };
      nodes.set(fork.id, node);
      nodes.get(fork.parentId ?? "")?.children.push(node);
      next.push(fork.id);
    }
    for (const id of hidden) nodes.get(id)?.children.push("outside");
    level = next;
  }
  return { children: root.children as readonly LineageNode[], isCut };
}

/** Those of the sessions that were forked into a workspace which the caller may not see. */
async function parentsWithHiddenForks({ orgId }: QueryCaller, { workspaceId }: QueryScope, parents: string[]): Promise<string[]> {
  if (workspaceId === null) return [];
  const where = { orgId, parentId: { in: parents }, workspaceId: { not: workspaceId } };
  const rows = await withOrg(orgId, (tx) => tx.session.findMany({ where, select: { parentId: true }, distinct: ["parentId"] }));
  return rows.flatMap(({ parentId }) => parentId ?? []);
}

function headerOf({ id, workspaceId, title, createdAt, isLive }: ReadableSession): SessionHeader {
  return { sessionId: id, workspaceId, title, createdAt, isLive };
}
