import { AppError, type OrgId, type PresetId, type SessionEvent, type SessionId } from "@gantry/contracts";
import { type PromptChanges, promptStatements } from "./prompt-changes.ts";
import { storable } from "./storable.ts";
import { tenantQueries } from "./tenant-queries.ts";

/** Readings of the log kept on the session's row; absent fields stay, null clears. */
export type SessionPatch = {
  readonly status?: string;
  readonly title?: string | null;
  readonly problem?: string | null;
  readonly interruptions?: number;
  /** the revision that the session goes on with, after a switch (G-19) */
  readonly preset?: { readonly presetId: PresetId; readonly revision: number };
  /** the permission preset it works under (PRM-2) */
  readonly permission?: string;
};

export type AppendBatch = {
  /** The lease epoch this worker holds. */
  readonly epoch: number;
  /** Where the log ended when this worker last wrote or read it: the `seq` of the first event of the batch. */
  readonly nextSeq: number;
  /** Contiguous from `nextSeq`; empty when only commands or the patch are to be written. */
  readonly events: readonly SessionEvent[];
  /** Ids of commands whose effect is in this batch (SES-34). */
  readonly consume?: readonly string[];
  readonly patch?: SessionPatch;
  /** Calls whose body may begin once this is committed, and calls that have their result now, by the `seq` of their `tool/call` (REC-15). */
  readonly ledger?: { readonly dispatched: readonly number[]; readonly finished: readonly number[] };
  /** Questions to people that these events ask, and those that nobody waits for any more. */
  readonly prompts?: PromptChanges;
};

/*
 * The fence is the first part: when it updates no row, the other parts see an empty `fence` and write nothing.
 * All parts read the snapshot from before the statement, so none relies on seeing another's rows.
 * A pickup that only marks where it begins is no activity, nor is a batch without events (SES-22).
 * Payloads travel as json text in arrays: parsing a json document on the server would refuse NUL inside strings.
 */
const fenced = `
    WITH fence AS (
      UPDATE sessions SET
        next_seq = $4 + cardinality($5::bigint[]),
        last_activity_at = CASE WHEN $6::text[] <@ ARRAY['session/end-seed'] THEN last_activity_at ELSE now() END,
        status = COALESCE($12, status),
        interruptions = COALESCE($13, interruptions),
        title = CASE WHEN $14 THEN $15 ELSE title END,
        problem = CASE WHEN $16 THEN $17 ELSE problem END,
        preset_id = COALESCE($18, preset_id),
        preset_revision = COALESCE($19, preset_revision),
        permission = COALESCE($20, permission)
      WHERE org_id = $1 AND id = $2 AND lease_epoch = $3 AND next_seq = $4
      RETURNING id
    ), written AS (
      INSERT INTO session_events (org_id, session_id, seq, time, type, data, ignorable, surface_op, source_event_seqs, lease_epoch)
      SELECT $1, fence.id, $4 + e.place - 1, e.time, e.type, e.data, e.ignorable, e.surface_op, e.sources::int[], $3
      FROM fence, unnest($5::bigint[], $6::text[], $7::json[], $8::boolean[], $9::jsonb[], $10::text[])
        WITH ORDINALITY AS e(time, type, data, ignorable, surface_op, sources, place)
    ), consumed AS (
      UPDATE session_commands SET consumed_at = now()
      WHERE org_id = $1 AND session_id IN (SELECT id FROM fence) AND consumed_at IS NULL AND id = ANY ($11::uuid[])
    )`;
/** One call may be in both lists; the update would not see the row that the insert makes. */
const entered = `, dispatched AS (
      INSERT INTO tool_executions (org_id, session_id, call_seq, epoch, state, finished_at)
      SELECT $1, fence.id, call, $3, CASE WHEN call = ANY ($22::int[]) THEN 'finished' ELSE 'dispatched' END,
        CASE WHEN call = ANY ($22::int[]) THEN now() END
      FROM fence, unnest($21::int[]) AS call
      ON CONFLICT (session_id, call_seq) DO NOTHING
    ), finished AS (
      UPDATE tool_executions SET state = 'finished', finished_at = now()
      WHERE org_id = $1 AND session_id IN (SELECT id FROM fence) AND call_seq = ANY ($22::int[])
    )`;
const append = { name: "append-events", text: `${fenced} SELECT id FROM fence` };
/** Its own statement, so that the many batches without a call do not pay for it. */
const appendWithLedger = { name: "append-events-ledger", text: `${fenced} ${entered} SELECT id FROM fence` };

/**
 * Makes a batch durable in one transaction and one round trip: the events, the commands they answer, the session's readings,
 * what is known of tool bodies, the questions to people (SES-30, SES-32).
 * Either all of it is committed when this resolves, or none of it.
 * @throws LEASE_LOST when another epoch or writer moved the log on: stop this agent and write nothing more (SES-30)
 * @throws SESSION_REJECTED_EVENT when the batch is not contiguous; UNAVAILABLE when Postgres does not answer (then the outcome is unknown
 *   and the next append tells: it is fenced if this one was committed)
 */
export async function appendEvents(orgId: OrgId, sessionId: SessionId, batch: AppendBatch): Promise<void> {
  const { epoch, nextSeq, events, consume = [], patch = {}, ledger } = batch;
  if (events.some((event, index) => event.seq !== nextSeq + index))
    throw new AppError("SESSION_REJECTED_EVENT", `The events of a batch must be numbered without a gap from ${nextSeq}.`);
  const values = [orgId, sessionId, epoch, nextSeq, ...columns(events), consume, ...patchValues(patch)];
  const hasLedger = ledger !== undefined && ledger.dispatched.length + ledger.finished.length > 0;
  const [written] = await tenantQueries(
    orgId,
    hasLedger ? [appendWithLedger, [...values, ledger.dispatched, ledger.finished]] : [append, values],
    ...promptStatements({ orgId, sessionId, epoch, nextSeq: nextSeq + events.length }, batch.prompts),
  );
  if (written?.rowCount === 0)
    throw new AppError("LEASE_LOST", "Another worker has taken this session over; this one stops without writing.", {
      data: { epoch, nextSeq },
    });
}

function columns(events: readonly SessionEvent[]): unknown[][] {
  return [
    events.map((event) => event.time),
    events.map((event) => event.type),
    events.map((event) => JSON.stringify(event.data)),
    events.map((event) => event.ignorable ?? false),
    events.map((event) => (event.surfaceOp === undefined ? null : JSON.stringify(event.surfaceOp))),
    // Postgres has no arrays of arrays of different length: each list travels as its own literal
    events.map((event) => (event.sourceEventSeqs === undefined ? null : `{${event.sourceEventSeqs.join(",")}}`)),
  ];
}

function patchValues({ status, interruptions, title, problem, preset, permission }: SessionPatch): unknown[] {
  const texts = [title !== undefined, storable(title), problem !== undefined, storable(problem)];
  return [status ?? null, interruptions ?? null, ...texts, preset?.presetId ?? null, preset?.revision ?? null, permission ?? null];
}
