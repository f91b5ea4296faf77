import type { WorkspaceId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readEffective } from "../settings/read-effective.ts";

/** The platform's own choice, over which organisations and workspaces set theirs (G-5). */
const platformDefault = "standard";

/** Slug of the preset for sessions that name none: the workspace's, else the organisation's, else the platform's. It may name nothing (G-5). */
export async function readDefaultPreset(tx: Tx, ctx: ServiceContext, workspaceId?: WorkspaceId): Promise<string> {
  const { default: slug } = await readEffective(tx, ctx, "presets", workspaceId);
  return typeof slug === "string" ? slug : platformDefault;
}
