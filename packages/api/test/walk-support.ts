import { withSystem } from "@gantry/db";
import type { Tenant } from "@gantry/testing/db-factories";
import { answerId, feedbackVersion, type Target } from "./procedure-fixtures.ts";
import { storePrompt } from "./prompt-fixtures.ts";
import { storePreset } from "./store-preset.ts";
import type { TestApi } from "./support.ts";

/** What inputs can name in this tenant. */
export async function targetOf(api: TestApi, tenant: Tenant): Promise<Target> {
  const { userId, slug, workspaceId, sessionId } = tenant;
  const [{ loginId }, presetSlug] = [await api.signIn(userId), await storePreset(api, tenant)];
  return { org: slug, workspaceId, sessionId, providerSlug: "demo", presetSlug, loginId };
}

/** Brings a tenant into the state in which a procedure has something to do. */
export async function prepare(api: TestApi, path: string, tenant: Tenant): Promise<void> {
  const { orgId, workspaceId } = tenant;
  if (path === "feedback.put") await storeAnswer(api, tenant);
  if (path.startsWith("prompt.")) await storePrompt(api, tenant);
  if (path === "feedback.delete") await storeFeedback(api, tenant);
  if (path === "composition.rollBack" || path === "plugin.remove") await storeLayer(api, orgId);
  if (path !== "workspace.retryImport") return;
  const source = JSON.stringify({ kind: "clone", url: "https://example.test/a.git" });
  await api.asOwner(orgId, "UPDATE workspaces SET state = 'failed', source = $2 WHERE id = $1", [workspaceId, source]);
}

/** A log of one event: an answer of the agent. */
async function storeAnswer(api: TestApi, { orgId, sessionId }: Tenant): Promise<void> {
  const content = [{ type: "text", text: "done" }];
  const message = { id: answerId, role: "assistant", content, source: { kind: "model", provider: "demo", model: "scripted" } };
  const data = JSON.stringify({ turn: 1, step: 1, message });
  const columns = "(org_id, session_id, seq, time, type, data, surface_op, lease_epoch)";
  const values = `($1, $2, 0, 0, 'assistant/message', $3, '"append"', 0)`;
  await api.asOwner(orgId, `INSERT INTO session_events ${columns} VALUES ${values}`, [orgId, sessionId, data]);
  await api.asOwner(orgId, "UPDATE sessions SET next_seq = 1 WHERE id = $1", [sessionId]);
}

async function storeFeedback(api: TestApi, { orgId, sessionId, userId }: Tenant): Promise<void> {
  const columns = "(org_id, session_id, message_id, user_id, rating, version)";
  const values = [orgId, sessionId, answerId, userId, feedbackVersion];
  await api.asOwner(orgId, `INSERT INTO message_feedback ${columns} VALUES ($1, $2, $3, $4, 'positive', $5)`, values);
}

/** A first revision of the org's layer, with a bundle. */
async function storeLayer(api: TestApi, orgId: Tenant["orgId"]): Promise<void> {
  const columns = "(org_id, profile, kind, revision, bundles, source)";
  await api.asOwner(orgId, `INSERT INTO composition_revisions ${columns} VALUES ($1, 'web', 'org', 1, '{dry-run}', '[]')`, [orgId]);
  await api.asOwner(orgId, "INSERT INTO composition_pointers VALUES ($1, 'web', 'org', 1)", [orgId]);
}

/** Every key of an answer, as in the fixtures. */
export function outputKeys(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => outputKeys(item, `${at}*.`)))].sort();
  if (typeof value !== "object" || value === null) return [];
  const keys = Object.entries(value).flatMap(([key, inner]) => [`${at}${key}`, ...outputKeys(inner, `${at}${key}.`)]);
  return [...new Set(keys)].sort();
}

export type LoginEnd = "expired" | "idle" | "revoked";

/** Ends a login in one of the ways in which logins end. */
export async function endLogin(loginId: string, how: LoginEnd): Promise<void> {
  await withSystem(async (tx) => {
    if (how === "expired")
      await tx.$executeRaw`UPDATE login_sessions SET expires_at = now() - interval '1 second' WHERE id = ${loginId}::uuid`;
    if (how === "idle")
      await tx.$executeRaw`UPDATE login_sessions SET last_seen_at = now() - interval '12 hours' WHERE id = ${loginId}::uuid`;
    if (how === "revoked") await tx.$executeRaw`UPDATE login_sessions SET revoked_at = now() WHERE id = ${loginId}::uuid`;
  });
}
