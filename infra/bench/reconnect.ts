// Row 26 of the performance bars: a client comes back 10,000 events behind. From the stream's start to "caught up", each batch written as JSON as
// for the wire, against the same rows from SQL alone, in one run.   npm run bench -- reconnect [events]
import type { OrgId, SessionId } from "@gantry/contracts";
import { connectOwner } from "@gantry/db/owner";
import { createFeedSubscriber } from "@gantry/feed";
import { createRedis } from "@gantry/platform";
import type { ServiceContext } from "@gantry/services";
import { streamSession } from "@gantry/services/session/stream/stream-session";
import { openTestDatabase } from "@gantry/testing/db";
import { printRow } from "./support/figures.ts";
import { writeLongLog } from "./support/long-log.ts";

const behind = Number(process.argv[2] ?? 10_000);
const rounds = 15;

const db = await openTestDatabase();
const owner = await connectOwner();
const pubsub = createRedis("pubsub");
const feed = createFeedSubscriber(pubsub);
try {
  const { orgId, sessionId, slug } = await db.createTenant();
  const count = await writeLongLog({ orgId, sessionId }, behind);
  await owner.query("SELECT set_config('app.org_id', $1, false)", [orgId]);
  const [sql, ours]: [number[], number[]] = [[], []];
  for (let round = -3; round < rounds; round += 1) {
    const read = await timed(() => owner.query("SELECT * FROM session_events WHERE session_id = $1 ORDER BY seq", [sessionId]));
    const caughtUp = await timed(() => comeBack({ orgId, sessionId, slug }, count));
    if (round < 0) continue;
    sql.push(read);
    ours.push(caughtUp);
  }
  printRow(`reconnect, ${count} events behind (bar: 4 × the SQL read)`, ours, sql);
} finally {
  pubsub.disconnect();
  await owner.close();
  await db.close();
}

/** @throws Error for a gap or a duplicate */
async function comeBack({ orgId, sessionId, slug }: { orgId: OrgId; sessionId: SessionId; slug: string }, count: number): Promise<void> {
  const end = new AbortController();
  const ctx = { orgId, feed, recheck: async () => {} } as unknown as ServiceContext; // all that a stream asks of it
  let next = 0;
  let chars = 0;
  for await (const { batch } of streamSession(ctx, { org: slug, sessionId, lastEventId: "-1" }, end.signal)) {
    for (const { seq } of batch.events) if (seq !== next++) throw new Error(`event ${seq} came in the place of ${next - 1}`);
    chars += JSON.stringify(batch).length;
    if (batch.caughtUp) break;
  }
  end.abort();
  if (next !== count || chars === 0) throw new Error(`${next} of ${count} events came`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
