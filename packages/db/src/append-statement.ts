import type { OrgId, SessionEvent, SessionId } from "@gantry/contracts";
import type { AppendBatch, SessionPatch } from "./append-events.ts";
import { storable } from "./storable.ts";
import type { Statement } from "./tenant-queries.ts";

/** A batch as it travels: payloads are text already. */
export type Write = { readonly sessionId: SessionId; readonly batch: AppendBatch; readonly payloads: readonly string[] };

/*
 * Writes the batches of several sessions of one org. Each has a fence of its own: of a batch whose session has moved on, `fence` has no row and
 * nothing is written, and the others do not notice. Answers with the places of those that were written.
 * All parts read the snapshot from before the statement, so none relies on seeing another's rows.
 * `= ANY` of the ids repeats what the joins say: whatever the planner knows of the tables, it looks rows up by their keys.
 * A pickup that only marks where it begins is no activity, nor is a batch without events (SES-22).
 * Payloads travel as json text in arrays: parsing a json document on the server would refuse NUL inside strings.
 */
const batches = `
    WITH batch AS MATERIALIZED (
      SELECT * FROM unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::boolean[], $7::text[], $8::int[], $9::boolean[], $10::text[],
          $11::boolean[], $12::text[], $13::uuid[], $14::int[], $15::text[], $16::float8[])
        WITH ORDINALITY AS b(session_id, epoch, next_seq, length, is_active, status, interruptions, has_title, title,
          has_problem, problem, preset_id, preset_revision, permission, wake_in, place)
    )`;
/** Sessions that somebody else has locked at this moment are left out, so that a batch waits for no neighbour's session. */
const unlocked = `, unlocked AS (
      SELECT s.id FROM batch b JOIN sessions s ON s.id = b.session_id
      WHERE s.org_id = $1 AND s.id = ANY ($2::uuid[]) AND s.lease_epoch = b.epoch AND s.next_seq = b.next_seq FOR NO KEY UPDATE OF s SKIP LOCKED
    )`;
const written = (isHeld: string) => `, fence AS (
      UPDATE sessions s SET
        next_seq = b.next_seq + b.length,
        last_activity_at = CASE WHEN b.is_active THEN now() ELSE s.last_activity_at END,
        status = COALESCE(b.status, s.status),
        interruptions = COALESCE(b.interruptions, s.interruptions),
        title = CASE WHEN b.has_title THEN b.title ELSE s.title END,
        problem = CASE WHEN b.has_problem THEN b.problem ELSE s.problem END,
        preset_id = COALESCE(b.preset_id, s.preset_id),
        preset_revision = COALESCE(b.preset_revision, s.preset_revision),
        permission = COALESCE(b.permission, s.permission),
        wake_at = CASE WHEN b.wake_in < 0 THEN NULL WHEN b.wake_in >= 0 THEN now() + make_interval(secs => b.wake_in / 1000.0) ELSE s.wake_at END
      FROM batch b
      WHERE s.org_id = $1 AND s.id = ANY ($2::uuid[]) AND s.id = b.session_id AND s.lease_epoch = b.epoch AND s.next_seq = b.next_seq
        ${isHeld}
      RETURNING b.place, s.id, b.epoch
    ), written AS (
      INSERT INTO session_events (org_id, session_id, seq, time, type, data, ignorable, surface_op, source_event_seqs, lease_epoch)
      SELECT $1, fence.id, e.seq, e.time, e.type, e.data, e.ignorable, e.surface_op, e.sources::int[], fence.epoch
      FROM unnest($17::int[], $18::int[], $19::bigint[], $20::text[], $21::json[], $22::boolean[], $23::jsonb[], $24::text[])
        AS e(place, seq, time, type, data, ignorable, surface_op, sources) JOIN fence USING (place)
    ), consumed AS (
      UPDATE session_commands c SET consumed_at = now()
      FROM unnest($25::int[], $26::uuid[]) AS done(place, id) JOIN fence USING (place)
      WHERE c.org_id = $1 AND c.id = ANY ($26::uuid[]) AND c.id = done.id AND c.session_id = fence.id AND c.consumed_at IS NULL
    )`;
/** One call may begin and end in one batch; the update would not see the row that the insert makes. */
const entered = `, dispatched AS (
      INSERT INTO tool_executions (org_id, session_id, call_seq, epoch, state, finished_at)
      SELECT $1, fence.id, d.call, fence.epoch, CASE WHEN d.is_over THEN 'finished' ELSE 'dispatched' END, CASE WHEN d.is_over THEN now() END
      FROM unnest($27::int[], $28::int[], $29::boolean[]) AS d(place, call, is_over) JOIN fence USING (place)
      ON CONFLICT (session_id, call_seq) DO NOTHING
    ), finished AS (
      UPDATE tool_executions t SET state = 'finished', finished_at = now()
      FROM unnest($30::int[], $31::int[]) AS f(place, call) JOIN fence USING (place)
      WHERE t.org_id = $1 AND t.session_id = ANY ($2::uuid[]) AND t.session_id = fence.id AND t.call_seq = ANY ($31::int[]) AND t.call_seq = f.call
    )`;
const answer = " SELECT place::int AS place FROM fence";
const waiting = `${batches}${written("")}`;
const passing = `${batches}${unlocked}${written("AND s.id IN (SELECT id FROM unlocked)")}`;

/** What is known of tool bodies has statements of its own, so that the many batches without a call do not pay for it. */
const statements = {
  waiting: { plain: { name: "append", text: waiting + answer }, ledger: { name: "append-ledger", text: waiting + entered + answer } },
  passing: {
    plain: { name: "append-passing", text: passing + answer },
    ledger: { name: "append-passing-ledger", text: passing + entered + answer },
  },
} satisfies Record<string, Record<string, Statement>>;

/**
 * The statement for these batches, of different sessions; its rows have the `place` (from 1) of each that was written.
 * `passing`: one whose session is locked is not written either, and nothing is waited for.
 */
export function appendStatement(orgId: OrgId, writes: readonly Write[], mode: "waiting" | "passing"): [Statement, unknown[]] {
  const values = [orgId, ...sessionColumns(writes), ...eventColumns(writes), ...placed(writes, ({ batch }) => batch.consume ?? [])];
  if (!writes.some(({ batch }) => hasLedger(batch))) return [statements[mode].plain, values];
  const begun = placed(writes, ({ batch }) => batch.ledger?.dispatched ?? []);
  const isOver = writes.flatMap(({ batch: { ledger } }) => ledger?.dispatched.map((call) => ledger.finished.includes(call)) ?? []);
  return [statements[mode].ledger, [...values, ...begun, isOver, ...placed(writes, ({ batch }) => batch.ledger?.finished ?? [])]];
}

const hasLedger = ({ ledger }: AppendBatch): boolean => ledger !== undefined && ledger.dispatched.length + ledger.finished.length > 0;

function sessionColumns(writes: readonly Write[]): unknown[][] {
  const patches: SessionPatch[] = writes.map(({ batch }) => batch.patch ?? {});
  return [
    writes.map(({ sessionId }) => sessionId),
    writes.map(({ batch }) => batch.epoch),
    writes.map(({ batch }) => batch.nextSeq),
    writes.map(({ batch }) => batch.events.length),
    writes.map(({ batch }) => batch.events.some(({ type }) => type !== "session/end-seed")),
    patches.map(({ status }) => status ?? null),
    patches.map(({ interruptions }) => interruptions ?? null),
    patches.map(({ title }) => title !== undefined),
    patches.map(({ title }) => storable(title)),
    patches.map(({ problem }) => problem !== undefined),
    patches.map(({ problem }) => storable(problem)),
    patches.map(({ preset }) => preset?.presetId ?? null),
    patches.map(({ preset }) => preset?.revision ?? null),
    patches.map(({ permission }) => permission ?? null),
    // below 0: cleared
    patches.map(({ wakeInMs }) => (wakeInMs === null ? -1 : (wakeInMs ?? null))),
  ];
}

function eventColumns(writes: readonly Write[]): unknown[][] {
  const [places, events] = placed<SessionEvent>(writes, ({ batch }) => batch.events);
  return [
    places,
    events.map((event) => event.seq),
    events.map((event) => event.time),
    events.map((event) => event.type),
    writes.flatMap(({ payloads }) => payloads),
    events.map((event) => event.ignorable ?? false),
    events.map((event) => (event.surfaceOp === undefined ? null : JSON.stringify(event.surfaceOp))),
    // Postgres has no arrays of arrays of different length: each list travels as its own literal
    events.map((event) => (event.sourceEventSeqs === undefined ? null : `{${event.sourceEventSeqs.join(",")}}`)),
  ];
}

/** Items of all batches, and beside each the place of its batch. */
function placed<T>(writes: readonly Write[], itemsOf: (write: Write) => readonly T[]): [number[], T[]] {
  const [places, items]: [number[], T[]] = [[], []];
  writes.forEach((write, index) => {
    for (const item of itemsOf(write)) {
      places.push(index + 1);
      items.push(item);
    }
  });
  return [places, items];
}
