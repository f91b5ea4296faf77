import { AppError, type CreateSession, defaultPermission, permissionPresets } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readEffective } from "../settings/read-effective.ts";

/** What a new session may touch: as asked, else the default of the person or the organisation, pinned from then on (PRM-4). @throws INPUT_REFUSED */
export async function choosePermission(
  tx: Tx,
  ctx: ServiceContext,
  { permission, workspaceId }: Pick<CreateSession, "permission" | "workspaceId">,
): Promise<string> {
  if (permission !== undefined) return knownPermission(permission);
  const { default: name } = await readEffective(tx, ctx, "permissions", workspaceId);
  return typeof name === "string" ? name : defaultPermission;
}

/** @throws INPUT_REFUSED for a name that is no permission preset */
export function knownPermission(name: string): string {
  if (permissionPresets.some((preset) => preset.name === name)) return name;
  const known = permissionPresets.map((preset) => preset.name).join(", ");
  throw new AppError("INPUT_REFUSED", `There is no such permission preset. Choose one of ${known}.`);
}
