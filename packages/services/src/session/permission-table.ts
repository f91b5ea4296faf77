import { PermissionPreset, permissionPresets } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { z } from "zod";
import { composeState } from "../composition/compose-state.ts";
import { readState } from "../composition/composition-state.ts";
import type { ServiceContext } from "../context.ts";

const Config = z.object({ presets: z.array(PermissionPreset).optional() });

/** The permission presets that the organisation's composition gives its sessions; none where it has switched them off (PRM-2). */
export async function readPermissionTable(tx: Tx, ctx: Pick<ServiceContext, "orgId" | "env">): Promise<readonly PermissionPreset[]> {
  const { composition } = composeState(await readState(tx, ctx, "web"));
  const row = composition.mounts.find(({ name }) => name === "permission-presets");
  if (!row) return [];
  return Config.parse(row.config ?? {}).presets ?? permissionPresets;
}
