import type { InstallationStatus } from "@gantry/feed";
import type { ServiceContext } from "../context.ts";

/** What the workers last reported about this installation; null when none has reported lately. */
export async function getSystemStatus(ctx: ServiceContext): Promise<{ installation: InstallationStatus | null }> {
  return { installation: await ctx.installationStatus() };
}
