import { randomUUID } from "node:crypto";
import type { Tenant } from "@gantry/testing/db-factories";
import type { ProcedureFixture } from "./procedure-fixtures.ts";
import type { TestApi } from "./support.ts";

const binding = "a".repeat(64);

/** A session's one open question has the session's own id. */
export const promptFixtures: Readonly<Record<string, ProcedureFixture>> = {
  "prompt.list": {
    access: "org",
    input: ({ org, sessionId }) => ({ org, sessionId }),
    namesIds: true,
    outputKeys: ["*.arguments", "*.binding", "*.callId", "*.createdAt", "*.expiresAt", "*.id", "*.kind", "*.reason", "*.toolName"],
  },
  "prompt.deciders": { access: "org", input: ({ org, sessionId }) => ({ org, sessionId }), namesIds: true, outputKeys: [] },
  "prompt.answer": {
    access: "org",
    input: ({ org, sessionId }) => ({ org, promptId: sessionId, binding, outcome: "deny", clientKey: randomUUID() }),
    namesIds: true,
    outputKeys: ["commandId"],
  },
  "session.setPermission": {
    access: "org",
    input: ({ org, sessionId }) => ({ org, sessionId, preset: "read-only", clientKey: randomUUID() }),
    namesIds: true,
    outputKeys: ["commandId"],
  },
};

export async function storePrompt(api: TestApi, { orgId, sessionId }: Tenant): Promise<void> {
  const columns = "(org_id, session_id, id, kind, call_id, tool_name, shown, binding)";
  const shown = JSON.stringify({ arguments: "{}", reason: "why" });
  const values = [orgId, sessionId, sessionId, shown, binding];
  await api.asOwner(orgId, `INSERT INTO pending_prompts ${columns} VALUES ($1, $2, $3, 'approval', 'c1', 'bash', $4, $5)`, values);
}
