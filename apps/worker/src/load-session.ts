import { AppError, type OrgId, type SessionId, type UserId, type WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";

/** The immutable header of a session, as the worker needs it. */
export type SessionHeader = {
  workspaceId: WorkspaceId;
  createdBy: UserId;
  presetId: string;
  presetRevision: number;
  provider: string;
  model: string;
};

/** @throws AppError NOT_FOUND */
export async function loadSession({ orgId, sessionId }: { orgId: OrgId; sessionId: SessionId }): Promise<SessionHeader> {
  const select = { workspaceId: true, createdBy: true, presetId: true, presetRevision: true, provider: true, model: true } as const;
  const row = await withOrg(orgId, (tx) => tx.session.findUnique({ where: { orgId_id: { orgId, id: sessionId } }, select }));
  if (!row) throw new AppError("NOT_FOUND", "There is no such session.");
  return row as SessionHeader;
}
