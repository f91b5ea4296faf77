import type { Tenant } from "@gantry/testing/db-factories";
import type { TestApi } from "./support.ts";

export const draftAt = "2026-01-02T03:04:05.678Z";

/** A preset with two revisions, a draft, a session on the second revision, and a workspace that has a default. Returns its slug. */
export async function storePreset(api: TestApi, { orgId, userId, workspaceId, sessionId }: Tenant): Promise<string> {
  const slug = "mine";
  const draft = { source: "x", name: "Mine", description: "", order: 1, authorId: userId, at: draftAt };
  const problems = [{ code: "ROW_INVALID", path: "$", message: "Rows are a list." }];
  const [preset] = await api.asOwner<{ id: string }>(
    orgId,
    "INSERT INTO presets (id, org_id, slug, current_revision, draft) VALUES (gen_random_uuid(), $1, $2, 2, $3) RETURNING id",
    [orgId, slug, JSON.stringify({ ...draft, problems })],
  );
  for (const [revision, name, more] of [
    [1, "Mine", {}],
    [2, "Still mine", { disabled: true }],
  ] as const)
    await api.asOwner(
      orgId,
      `INSERT INTO preset_revisions (preset_id, revision, org_id, slug, name, rows, hash, author_id) VALUES ($1, $2, $3, $4, $5, $6, 'h', $7)`,
      [preset?.id, revision, orgId, slug, name, JSON.stringify([{ id: "shell", name: "tool-bash", ...more }]), userId],
    );
  await api.asOwner(orgId, "UPDATE sessions SET preset_id = $1, preset_revision = 2 WHERE id = $2", [preset?.id, sessionId]);
  await api.asOwner(
    orgId,
    "INSERT INTO settings (org_id, namespace, level, subject, value, revision) VALUES ($1, 'presets', 'workspace', $2, $3, 1)",
    [orgId, workspaceId, JSON.stringify({ default: "standard" })],
  );
  return slug;
}
