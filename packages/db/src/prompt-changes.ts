import type { Json, OrgId, SessionId } from "@gantry/contracts";
import { storable } from "./storable.ts";
import type { Statement } from "./tenant-queries.ts";

export type NewPrompt = {
  readonly id: string;
  readonly kind: "approval" | "question";
  readonly callId: string;
  readonly toolName: string;
  /** for whoever answers: reason and arguments, or questions */
  readonly shown: Json;
  /** what an answer holds for, and nothing else (SC-P2) */
  readonly binding: string;
  /** from now on, in milliseconds */
  readonly ttlMs: number;
};
export type PromptChanges = {
  readonly open: readonly NewPrompt[];
  /** ids that nobody waits for any more; one that was answered meanwhile stays so */
  readonly close: readonly string[];
};

/** The writer still holds the session, and what it wrote before is in: `$4` is the log's length after the batch. */
const held = "EXISTS (SELECT FROM sessions WHERE org_id = $1 AND id = $2 AND lease_epoch = $3 AND next_seq = $4)";

const open = {
  name: "open-prompts",
  text: `
    INSERT INTO pending_prompts (org_id, session_id, id, kind, call_id, tool_name, shown, binding, expires_at)
    SELECT $1, $2, p.id, p.kind, p.call_id, p.tool_name, p.shown, p.binding, now() + make_interval(secs => p.ttl / 1000.0)
    FROM unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::json[], $10::text[], $11::bigint[])
      AS p(id, kind, call_id, tool_name, shown, binding, ttl)
    WHERE ${held}
    ON CONFLICT (id) DO NOTHING`,
};

// as text: a log may hold ids of questions that never had a row, in whatever form
const close = {
  name: "close-prompts",
  text: `
    UPDATE pending_prompts SET state = 'cancelled', decided_at = now()
    WHERE org_id = $1 AND session_id = $2 AND state = 'pending' AND id::text = ANY ($5::text[]) AND ${held}`,
};

type At = { readonly orgId: OrgId; readonly sessionId: SessionId; readonly epoch: number; readonly nextSeq: number };

/** Statements for the transaction of a batch, after the one that wrote it. They do nothing when that one was fenced. */
export function promptStatements({ orgId, sessionId, epoch, nextSeq }: At, changes: PromptChanges | undefined): [Statement, unknown[]][] {
  const at = [orgId, sessionId, epoch, nextSeq];
  const opened = changes?.open ?? [];
  const of = <K extends keyof NewPrompt>(field: K) => opened.map((prompt) => prompt[field]);
  const shown = opened.map((prompt) => JSON.stringify(prompt.shown));
  // both are the model's words
  const [callIds, toolNames] = [of("callId").map(storable), of("toolName").map(storable)];
  const statements: [Statement, unknown[]][] = [];
  if (opened.length > 0) statements.push([open, [...at, of("id"), of("kind"), callIds, toolNames, shown, of("binding"), of("ttlMs")]]);
  if (changes && changes.close.length > 0) statements.push([close, [...at, changes.close]]);
  return statements;
}
