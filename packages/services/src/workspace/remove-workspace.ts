import { AppError, type OrgId, type WorkspaceId, type WorkspaceInput } from "@gantry/contracts";
import { attachmentObjects, type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { workspaceNotFound } from "./find-workspace.ts";
import { WorkspaceSource } from "./workspace-view.ts";

/**
 * Removes a workspace with its settings, its sessions and their logs; the worker's reconciler then removes container and volume.
 * Allowed in every import state (CP-23). @throws NOT_FOUND, WORKSPACE_BUSY while one of its sessions works or has work waiting
 */
export async function removeWorkspace(ctx: ServiceContext, { workspaceId }: WorkspaceInput): Promise<{ workspaceId: WorkspaceId }> {
  const removed = await withOrg(ctx.orgId, async (tx) => {
    const row = await tx.workspace.findUnique({
      where: { orgId_id: { orgId: ctx.orgId, id: workspaceId } },
      select: { source: true, name: true },
    });
    if (!row) throw workspaceNotFound();
    const where = { orgId: ctx.orgId, workspaceId };
    await lockSessions(tx, ctx.orgId, workspaceId);
    if (await hasWork(tx, ctx.orgId, workspaceId))
      throw new AppError(
        "WORKSPACE_BUSY",
        "A session of this workspace works, or did so half a minute ago. Stop it, or wait a moment; then remove the workspace.",
      );
    const attachments = await attachmentObjects(tx, where);
    await tx.sandbox.deleteMany({ where });
    const sessions = await tx.session.deleteMany({ where });
    await tx.setting.deleteMany({ where: { orgId: ctx.orgId, level: "workspace", subject: workspaceId } });
    await tx.workspace.deleteMany({ where: { orgId: ctx.orgId, id: workspaceId } });
    const details = { name: row.name, sessions: sessions.count };
    await writeAudit(tx, ctx, { action: "workspace.remove", subject: workspaceId, details });
    const source = WorkspaceSource.parse(row.source);
    return source.kind === "archive" ? [source.object, ...attachments] : attachments;
  });
  for (const object of removed)
    await ctx.objects.delete(object).catch((err) => ctx.log.error({ object, err }, "an object of a removed workspace is left"));
  return { workspaceId };
}

/** Nobody takes a lease or adds a command while these rows are locked. */
async function lockSessions(tx: Tx, orgId: OrgId, workspaceId: WorkspaceId): Promise<void> {
  await tx.$queryRaw`SELECT id FROM sessions WHERE org_id = ${orgId}::uuid AND workspace_id = ${workspaceId}::uuid ORDER BY id FOR UPDATE`;
}

async function hasWork(tx: Tx, orgId: OrgId, workspaceId: WorkspaceId): Promise<boolean> {
  const busy = await tx.$queryRaw<{ busy: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM sessions s
      WHERE s.org_id = ${orgId}::uuid AND s.workspace_id = ${workspaceId}::uuid AND (
        EXISTS (SELECT 1 FROM session_leases l WHERE l.org_id = s.org_id AND l.session_id = s.id AND l.expires_at > now())
        OR EXISTS (SELECT 1 FROM session_commands c WHERE c.org_id = s.org_id AND c.session_id = s.id AND c.consumed_at IS NULL))
    ) AS busy`;
  return busy[0]?.busy ?? false;
}
