import { openProjection, type Projection, type SessionId, type Snapshot, sessionUnits } from "@gantry/contracts";
import { readEvents, withOrg } from "@gantry/db";
import type { ServiceContext } from "../../context.ts";
import { sessionNotFound } from "../session-not-found.ts";

type Units = typeof sessionUnits;

/** How many sessions' readings this process keeps, the least recently asked for go first. They are disposable: a log can always be read again (PRJ-6). */
const maxHeld = 200;
const pageEvents = 2_000;
const held = new Map<string, Projection<Units>>();

/** The readings of a session as of the end of its log. A reading that this process holds goes on from where it stands. @throws NOT_FOUND */
export async function readProjection({ orgId }: Pick<ServiceContext, "orgId">, sessionId: SessionId): Promise<Snapshot<Units>> {
  const { nextSeq, seedLength } = await readHeader(orgId, sessionId);
  const projection = hold(`${orgId}/${sessionId}`, nextSeq, seedLength ?? 0);
  // calls side by side may read the same page: what was applied once is skipped
  for (let from = projection.asOfSeq + 1; from < nextSeq; from += pageEvents) {
    const to = Math.min(nextSeq, from + pageEvents);
    for (const event of await readEvents(orgId, sessionId, { from, to })) projection.apply(event);
  }
  return projection.snapshot();
}

function hold(key: string, nextSeq: number, seedLength: number): Projection<Units> {
  const known = held.get(key);
  // a log that is shorter than its reading is another log
  const projection = known && known.asOfSeq < nextSeq ? known : openProjection(sessionUnits, { seedLength });
  held.delete(key);
  held.set(key, projection);
  const [oldest] = held.keys();
  if (held.size > maxHeld && oldest !== undefined) held.delete(oldest);
  return projection;
}

async function readHeader(orgId: ServiceContext["orgId"], id: SessionId): Promise<{ nextSeq: number; seedLength: number | null }> {
  const select = { nextSeq: true, seedLength: true } as const;
  const row = await withOrg(orgId, (tx) => tx.session.findUnique({ where: { orgId_id: { orgId, id } }, select }));
  if (!row) throw sessionNotFound();
  return row;
}
