import { AppError, type CreateSession, defaultPermission } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readEffective } from "../settings/read-effective.ts";
import { readPermissionTable } from "./permission-table.ts";

/**
 * What a new session may touch: as asked, else the default of the person or the organisation, pinned from then on (PRM-4). A default that the
 * organisation's table does not have is not used: the session's holder takes the narrowest that it has.
 * @throws INPUT_REFUSED
 */
export async function choosePermission(
  tx: Tx,
  ctx: ServiceContext,
  { permission, workspaceId }: Pick<CreateSession, "permission" | "workspaceId">,
): Promise<string> {
  if (permission !== undefined) return requirePermission(tx, ctx, permission);
  const { default: name } = await readEffective(tx, ctx, "permissions", workspaceId);
  return typeof name === "string" ? name : defaultPermission;
}

/** @throws INPUT_REFUSED for a name that the organisation's sessions cannot be put on */
export async function requirePermission(tx: Tx, ctx: ServiceContext, name: string): Promise<string> {
  const table = await readPermissionTable(tx, ctx);
  if (table.some((preset) => preset.name === name)) return name;
  const known = table.map((preset) => preset.name).join(", ");
  throw new AppError("INPUT_REFUSED", `There is no such permission preset here. Choose one of: ${known || "none"}.`);
}
