import { eventData, type OrgId, pruneChunk } from "@gantry/contracts";
import type { Owner } from "./owner.ts";

const dayMs = 86_400_000;
/** Events changed by one transaction. */
const batchEvents = 500;
/** Inside a JSON string a quote is escaped: only the member itself reads like this. */
const isWhole = `strpos(data::text, '"pruned":') = 0`;

export type Pruned = { readonly sessions: number; readonly events: number; readonly chars: number };
type Chunk = { readonly seq: number; readonly data: unknown };

/**
 * Takes the text out of streamed deltas that are older than so many days, and leaves each event where it is: the log stays without a gap (SES-33). What was
 * streamed is in the messages anyway, but for answers that never were completed. For the owner of the schema, because the serving role cannot change the log.
 * Safe to repeat and to break off at any time.
 */
export async function pruneChunks(owner: Owner, orgId: OrgId, { olderThanDays = 30, now = Date.now() } = {}): Promise<Pruned> {
  const before = now - olderThanDays * dayMs;
  const sessions = await asOrg(owner, orgId, () =>
    owner.query<{ id: string }>("SELECT id FROM sessions WHERE org_id = $1 ORDER BY id", [orgId]),
  );
  const total = { sessions: 0, events: 0, chars: 0 };
  for (const { id } of sessions) {
    let from = 0;
    for (let isFirst = true; ; isFirst = false) {
      const pruned = await asOrg(owner, orgId, () => pruneBatch(owner, id, { from, before }));
      if (!pruned) break;
      if (isFirst) total.sessions += 1;
      total.events += pruned.events;
      total.chars += pruned.chars;
      from = pruned.next;
    }
  }
  return total;
}

/** The next events of a session that have their text still; null when there are none. */
async function pruneBatch(owner: Owner, sessionId: string, { from, before }: { from: number; before: number }) {
  const chunks = await owner.query<Chunk>(
    `SELECT seq, data FROM session_events
     WHERE session_id = $1 AND seq >= $2 AND type = 'assistant/chunk' AND time < $3 AND ${isWhole} ORDER BY seq LIMIT ${batchEvents}`,
    [sessionId, from, before],
  );
  const last = chunks.at(-1);
  if (!last) return null;
  const kept = chunks.flatMap(({ seq, data }) => {
    const parsed = eventData["assistant/chunk"].safeParse(data);
    return parsed.success ? { seq, data: pruneChunk(parsed.data) } : []; // a damaged event is left to whoever repairs it
  });
  await owner.query(
    `UPDATE session_events e SET data = t.data::json FROM unnest($2::int[], $3::text[]) AS t(seq, data)
     WHERE e.session_id = $1 AND e.seq = t.seq AND e.type = 'assistant/chunk' AND ${isWhole.replace("data::", "e.data::")}`,
    [sessionId, kept.map(({ seq }) => seq), kept.map(({ data }) => JSON.stringify(data))],
  );
  const chars = kept.reduce((sum, { data }) => sum + (data.pruned?.chars ?? 0), 0);
  return { events: kept.length, chars, next: last.seq + 1 };
}

/** The wall of the tenant binds the owner too. */
async function asOrg<T>(owner: Owner, orgId: OrgId, work: () => Promise<T>): Promise<T> {
  await owner.query("BEGIN");
  try {
    await owner.query("SELECT set_config('app.org_id', $1, true)", [orgId]);
    const value = await work();
    await owner.query("COMMIT");
    return value;
  } catch (error) {
    await owner.query("ROLLBACK").catch(() => {}); // the connection is gone: its transaction went with it
    throw error;
  }
}
