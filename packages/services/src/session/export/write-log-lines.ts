import type { OrgId, QueryCaller } from "@gantry/contracts";
import { readRawEvents, withOrg } from "@gantry/db";
import { findForks, openScope, type ReadableSession } from "../query/query-scope.ts";

const pageEvents = 500;
/** Sessions in one file; a header line says when there were more. */
const maxSessions = 500;

/**
 * The raw log as lines of JSON: for the session, then for each session forked from it at any depth, a header line and its events. Each session is looked
 * at for the caller's right to it when its turn comes.
 */
export async function* writeLogLines(caller: QueryCaller, session: ReadableSession): AsyncGenerator<string, void, void> {
  const seen = new Set<string>([session.id]);
  let level: ReadableSession[] = [session];
  while (level.length > 0) {
    for (const one of level) yield* oneLog(caller.orgId, one);
    const forks = await findForks(
      caller,
      await openScope(caller),
      level.map(({ id }) => id),
      maxSessions + 1,
    );
    const fresh = forks.filter(({ id }) => !seen.has(id)); // a damaged line may lead back to where it began
    level = fresh.slice(0, maxSessions - seen.size);
    if (level.length < fresh.length) yield `${JSON.stringify({ format: "gantry-session-log", isCut: true, maxSessions })}\n`;
    for (const { id } of level) seen.add(id);
  }
}

async function* oneLog(orgId: OrgId, session: ReadableSession): AsyncGenerator<string, void, void> {
  yield `${JSON.stringify(await headerOf(orgId, session))}\n`;
  for (let from = 0; from < session.nextSeq; from += pageEvents) {
    const lines = await readRawEvents(orgId, session.id, { from, to: Math.min(session.nextSeq, from + pageEvents) });
    if (lines.length > 0) yield `${lines.join("\n")}\n`;
  }
}

/** Attachments by name and digest; their content stays where it is. */
async function headerOf(orgId: OrgId, { id, nextSeq, createdAt }: ReadableSession): Promise<object> {
  const attachment = { id: true, name: true, mediaType: true, bytes: true, digest: true } as const;
  const route = { provider: true, model: true, presetId: true, presetRevision: true } as const;
  const header = { id: true, workspaceId: true, createdBy: true, title: true, parentId: true, seedLength: true, version: true } as const;
  const row = await withOrg(orgId, (tx) =>
    tx.session.findUniqueOrThrow({
      where: { orgId_id: { orgId, id } },
      select: { ...header, ...route, files: { select: attachment, orderBy: { id: "asc" } } },
    }),
  );
  const { files: attachments, version, ...session } = row;
  return { format: "gantry-session-log", version, events: nextSeq, session: { ...session, createdAt }, attachments };
}
