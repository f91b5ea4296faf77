import { AppError, type OrgId, type PresetId, type SessionEvent, type SessionId } from "@gantry/contracts";
import { commitTogether } from "./append-group.ts";
import type { PromptChanges } from "./prompt-changes.ts";

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
  /** after how many milliseconds it goes on by itself (CP-56) */
  readonly wakeInMs?: number | null;
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

/**
 * Makes a batch durable in one transaction: the events, the commands they answer, the session's readings, what is known of tool bodies,
 * the questions to people (SES-30, SES-32). Other sessions of the org may share the transaction and are not harmed by this one's failure.
 * Either all of it is committed when this resolves, or none of it.
 * @throws LEASE_LOST when another epoch or writer moved the log on: stop this agent and write nothing more (SES-30)
 * @throws SESSION_REJECTED_EVENT when the batch is not contiguous; UNAVAILABLE when Postgres does not answer (then the outcome is unknown
 *   and the next append tells: it is fenced if this one was committed)
 */
export async function appendEvents(orgId: OrgId, sessionId: SessionId, batch: AppendBatch): Promise<void> {
  const { nextSeq, events } = batch;
  if (events.some((event, index) => event.seq !== nextSeq + index))
    throw new AppError("SESSION_REJECTED_EVENT", `The events of a batch must be numbered without a gap from ${nextSeq}.`);
  await commitTogether(orgId, { sessionId, batch, payloads: events.map((event) => JSON.stringify(event.data)) });
}
