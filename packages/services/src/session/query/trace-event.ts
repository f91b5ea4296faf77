import type { EventTrace, QueryCaller, SurfaceMap } from "@gantry/contracts";
import { tenantRows } from "@gantry/db";
import { readSession } from "./query-scope.ts";
import { assertEvent } from "./read-event.ts";
import { readSurface } from "./read-surface.ts";

const read = {
  name: "trace-event",
  text: `
    SELECT (SELECT source_event_seqs FROM session_events WHERE org_id = $1 AND session_id = $2 AND seq = $3) AS sources,
      ARRAY(SELECT seq FROM session_events WHERE org_id = $1 AND session_id = $2 AND seq > $3 AND $3 = ANY (source_event_seqs) ORDER BY seq) AS derived`,
};

/** What came of one event and what it was made of: replacements, sources, and events that name it (QRY-8). @throws SESSION_QUERY_… as `readEvent` */
export async function traceEvent(
  caller: QueryCaller,
  { sessionId: wanted, seq }: { sessionId?: string; seq: number },
): Promise<EventTrace> {
  return readSession(caller, wanted, async (session) => {
    assertEvent(session, seq);
    const { id: sessionId } = session;
    const surface = await readSurface(caller.orgId, sessionId);
    const [row] = await tenantRows<{ sources: number[] | null; derived: number[] }>(caller.orgId, read, [caller.orgId, sessionId, seq]);
    return {
      sessionId,
      seq,
      surface: surface.surfaceOf(seq),
      replacedBy: surface.replacedBy(seq),
      chain: chainFrom(surface, seq),
      replaced: surface.replaced(seq),
      sources: row?.sources ?? [],
      derived: row?.derived ?? [],
    };
  });
}

/** Each replacement stands later in the log than what it replaced, so the chain ends. */
function chainFrom(surface: SurfaceMap, seq: number): number[] {
  const chain: number[] = [];
  for (let next = surface.replacedBy(seq); next !== null; next = surface.replacedBy(next)) chain.push(next);
  return chain;
}
