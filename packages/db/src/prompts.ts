import type { ApprovalOutcome, Json, OrgId, QuestionAnswer, SessionId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Tx } from "./scope.ts";
import { tenantRows } from "./tenant-queries.ts";

/** What a person said: to an approval, or to questions. */
export type PromptAnswer =
  | { readonly kind: "approval"; readonly outcome: Extract<ApprovalOutcome, "allowed-once" | "rejected"> }
  | { readonly kind: "question"; readonly outcome: "answered" | "dismissed"; readonly answers?: readonly QuestionAnswer[] };

export type StoredPrompt = {
  readonly kind: "approval" | "question";
  readonly state: "pending" | "answered" | "cancelled" | "expired";
  readonly binding: string;
  readonly answer: PromptAnswer | null;
  readonly decidedBy: string | null;
};

const read = {
  name: "read-prompt",
  text: `SELECT kind, state, binding, answer, decided_by AS "decidedBy" FROM pending_prompts WHERE org_id = $1 AND session_id = $2 AND id = $3`,
};

/** A question to a person as it stands now; null when the session has no such question. */
export async function readPrompt(orgId: OrgId, sessionId: SessionId, promptId: string): Promise<StoredPrompt | null> {
  const [row] = await tenantRows<StoredPrompt>(orgId, read, [orgId, sessionId, promptId]);
  return row ?? null;
}

type Answering = {
  readonly orgId: OrgId;
  readonly promptId: string;
  readonly binding: string;
  readonly answer: PromptAnswer;
  readonly by: string;
};

/** The first answer in time, for exactly what was shown, counts: true for it, false for any other (APR-5). */
export async function takeAnswer(tx: Tx, { orgId, promptId, binding, answer, by }: Answering): Promise<boolean> {
  // as a holder's batch does: session first, then its questions; the other way round the two would wait for each other
  await tx.$queryRaw`
    SELECT s.id FROM sessions s JOIN pending_prompts p ON p.org_id = s.org_id AND p.session_id = s.id
    WHERE p.org_id = ${orgId}::uuid AND p.id = ${promptId}::uuid FOR NO KEY UPDATE OF s`;
  const taken = await tx.$executeRaw`
    UPDATE pending_prompts SET state = 'answered', answer = ${JSON.stringify(answer)}::json, decided_by = ${by}::uuid, decided_at = now()
    WHERE org_id = ${orgId}::uuid AND id = ${promptId}::uuid AND state = 'pending' AND binding = ${binding} AND kind = ${answer.kind}
      AND (expires_at IS NULL OR expires_at > now())`;
  return taken > 0;
}

const due = {
  name: "expired-prompts",
  text: `SELECT id, session_id AS "sessionId" FROM pending_prompts WHERE org_id = $1 AND state = 'pending' AND expires_at <= now() LIMIT 500`,
};

const expire = {
  name: "expire-prompt",
  text: `
    WITH expired AS (
      UPDATE pending_prompts SET state = 'expired', decided_at = now()
      WHERE org_id = $1 AND id = $2 AND state = 'pending' AND expires_at <= now() RETURNING session_id
    )
    INSERT INTO session_commands (id, org_id, session_id, client_key, payload)
    SELECT $3, $1, session_id, 'expire/' || $2::text, $4::json FROM expired
    ON CONFLICT (org_id, session_id, client_key) DO NOTHING`,
};

/** Ends questions whose time ran out, and leaves each session a command that says so. Safe to repeat. Returns how many there were. */
export async function expirePrompts(orgId: OrgId): Promise<number> {
  const rows = await tenantRows<{ id: string; sessionId: SessionId }>(orgId, due, [orgId]);
  for (const { id } of rows) {
    const payload: Json = { kind: "answer", promptId: id };
    await tenantRows(orgId, expire, [orgId, id, newId(), JSON.stringify(payload)]);
  }
  return rows.length;
}
