// Row 15 and 16 of the performance bars: events made durable per second by one writer, ours against a bare unnest insert, in one paired run;
// and how long one batch takes at 2,000 events a second.  node --env-file=<services> infra/bench/event-append.ts
import type { OrgId, SessionEvent, SessionId } from "@gantry/contracts";
import { acquireLease, appendEvents, readEvents } from "@gantry/db";
import { connectOwner } from "@gantry/db/owner";
import { openTestDatabase } from "@gantry/testing/db";

const batchSize = 100;
const batches = 150;
const rounds = 5;

const db = await openTestDatabase();
const owner = await connectOwner();
try {
  await owner.query("CREATE TABLE raw_events (session_id uuid, seq int, time bigint, type text, data json, PRIMARY KEY (session_id, seq))");
  const raw: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = [await rawInserts(), await appends()] as const;
    if (round === 0) continue; // warm-up
    raw.push(pair[0]);
    ours.push(pair[1]);
  }
  const [limit, own] = [median(raw), median(ours)];
  console.log(`raw unnest(${batchSize})   ${Math.round(limit)} events/s`);
  console.log(`appendEvents(${batchSize}) ${Math.round(own)} events/s   ratio ${(own / limit).toFixed(2)} (bar: at least 0.5)`);
  await paced("20 orgs", () => newLog());
  const org = await db.createTenant();
  await paced("one org", async () => {
    const { sessionId } = await db.createSession(org.orgId, { workspaceId: org.workspaceId });
    return leased(org.orgId, sessionId);
  });
  await reading();
} finally {
  await owner.close();
  await db.close();
}

function made(from: number, count: number): SessionEvent[] {
  const content = [{ type: "text" as const, text: "x".repeat(120) }]; // about 330 bytes of JSON with its envelope
  return Array.from({ length: count }, (_, index) => ({
    type: "user/message",
    seq: from + index,
    time: 1_700_000_000_000,
    data: {
      id: `m${from + index}`,
      role: "user",
      content,
      source: { kind: "user", userId: "01900000-0000-7000-8000-000000000001", name: "Ada" },
    },
    surfaceOp: "append",
  }));
}

async function rawInserts(): Promise<number> {
  const session = crypto.randomUUID();
  const start = performance.now();
  for (let batch = 0; batch < batches; batch++) {
    const events = made(batch * batchSize, batchSize);
    await owner.query("INSERT INTO raw_events SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::text[], $5::json[])", [
      session,
      events.map(({ seq }) => seq),
      events.map(({ time }) => time),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
    ]);
  }
  return (batches * batchSize * 1000) / (performance.now() - start);
}

async function newLog() {
  const { orgId, sessionId } = await db.createTenant();
  return leased(orgId, sessionId);
}

async function leased(orgId: OrgId, sessionId: SessionId) {
  const lease = await acquireLease(orgId, sessionId, "bench", 600_000);
  return { orgId, sessionId, epoch: lease?.epoch ?? 0 };
}

async function appends(): Promise<number> {
  const { orgId, sessionId, epoch } = await newLog();
  const start = performance.now();
  for (let batch = 0; batch < batches; batch++) {
    const nextSeq = batch * batchSize;
    await appendEvents(orgId, sessionId, { epoch, nextSeq, events: made(nextSeq, batchSize) });
  }
  return (batches * batchSize * 1000) / (performance.now() - start);
}

/** 20 sessions, each making 100 events a second, one event a batch. Only those of one org share transactions. */
async function paced(where: string, open: () => ReturnType<typeof newLog>): Promise<void> {
  const took: number[] = [];
  const logs = await Promise.all(Array.from({ length: 20 }, open));
  const until = performance.now() + 5_000;
  const write = async ({ orgId, sessionId, epoch }: (typeof logs)[number], index: number): Promise<void> => {
    let next = performance.now() + index / 2;
    for (let nextSeq = 0; next < until; nextSeq++) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
      const start = performance.now();
      await appendEvents(orgId, sessionId, { epoch, nextSeq, events: made(nextSeq, 1) });
      took.push(performance.now() - start);
      next += 10;
    }
  };
  await Promise.all(logs.map(write));
  const rate = Math.round(took.length / 5);
  console.log(
    `20 sessions of ${where}, ${rate} batches of one event a second: commit p50 ${at(took, 0.5)} ms, p99 ${at(took, 0.99)} ms (bar: 5 and 25)`,
  );
}

/** Row 26: reading 10,000 events, parsed, against the same rows from SQL alone. */
async function reading(): Promise<void> {
  const { orgId, sessionId, epoch } = await newLog();
  for (let nextSeq = 0; nextSeq < 10_000; nextSeq += 1_000)
    await appendEvents(orgId, sessionId, { epoch, nextSeq, events: made(nextSeq, 1_000) });
  await owner.query("SELECT set_config('app.org_id', $1, false)", [orgId]);
  const [sql, ours, tail]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 12; round++) {
    sql.push(await timed(() => owner.query("SELECT * FROM session_events WHERE session_id = $1 ORDER BY seq", [sessionId])));
    ours.push(await timed(() => readEvents(orgId, sessionId)));
    tail.push(await timed(() => readEvents(orgId, sessionId, { last: 100 })));
  }
  const ratio = (median(ours) / median(sql)).toFixed(2);
  console.log(
    `10,000 events: SQL ${at(sql, 0.5)} ms, readEvents ${at(ours, 0.5)} ms, ratio ${ratio} (bar: 4); last 100: ${at(tail, 0.5)} ms`,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

function at(values: number[], share: number): string {
  return quantile(values, share).toFixed(2);
}
