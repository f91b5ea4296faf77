import { AppError, type CreateSession, isAppError } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readDefaultPreset } from "../preset/default-preset.ts";
import { type PinnedPreset, pinPreset } from "../preset/pin-preset.ts";

/**
 * The preset revision that a new session is pinned to: the named one, else the default of the workspace, the organisation, the platform (G-5).
 * @throws PRESET_UNKNOWN, also for a default that names nothing; PRESET_BROKEN
 */
export async function choosePreset(
  tx: Tx,
  ctx: ServiceContext,
  { preset, workspaceId }: Pick<CreateSession, "preset" | "workspaceId">,
): Promise<PinnedPreset> {
  if (preset !== undefined) return pinPreset(tx, ctx, preset);
  const slug = await readDefaultPreset(tx, ctx, workspaceId);
  return pinPreset(tx, ctx, slug).catch((cause: unknown) => {
    if (!isAppError(cause, "PRESET_UNKNOWN")) throw cause;
    throw new AppError("PRESET_UNKNOWN", `The default preset does not exist. Choose a preset, or set another default. ${cause.message}`, {
      cause,
    });
  });
}
