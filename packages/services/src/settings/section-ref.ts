import type { SettingsNamespace } from "@gantry/compose";
import { AppError, type SettingsLevel, type WorkspaceId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { findWorkspace } from "../workspace/find-workspace.ts";
import type { SectionRef } from "./section.ts";

export type SectionInput = {
  readonly namespace: string;
  readonly level: SettingsLevel;
  readonly workspaceId?: WorkspaceId | undefined;
};

/**
 * The section that an input names, for its writer: admins write the organisation's and those of workspaces, everybody their own.
 * @throws NOT_FOUND for an unknown namespace or workspace, BAD_REQUEST for a level that the namespace does not have, FORBIDDEN
 */
export async function findSection(
  tx: Tx,
  ctx: ServiceContext,
  { namespace: name, level, workspaceId }: SectionInput,
  namespaces: readonly SettingsNamespace[],
): Promise<SectionRef> {
  const namespace = namespaces.find((one) => one.name === name);
  if (!namespace) throw new AppError("NOT_FOUND", "There are no settings of this name. Load the settings again.");
  if (!namespace.levels.includes(level))
    throw new AppError("BAD_REQUEST", `These settings cannot be set at this level. They have the levels ${namespace.levels.join(", ")}.`);
  if ((level === "workspace") !== (workspaceId !== undefined))
    throw new AppError("BAD_REQUEST", "A workspace is named exactly for the level workspace. Name it, or choose the other level.");
  if (!mayWrite(ctx, level)) throw new AppError("FORBIDDEN", "Only admins of the organisation may set this for others.");
  if (workspaceId !== undefined) await findWorkspace(tx, ctx.orgId, workspaceId);
  return { namespace, level, subject: level === "user" ? ctx.userId : (workspaceId ?? "") };
}

export function mayWrite({ role }: ServiceContext, level: SettingsLevel): boolean {
  return role === "owner" || role === "admin" || (role === "member" && level === "user");
}
