import { settingsNamespaces } from "@gantry/compose";
import type { PresetInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { findSection } from "../settings/section-ref.ts";
import { writeSection } from "../settings/write-section.ts";
import { pinPreset } from "./pin-preset.ts";

/**
 * Makes a preset the organisation's default for new sessions (G-5); workspaces that set their own keep it.
 * @throws PRESET_UNKNOWN, PRESET_BROKEN: sessions could not start on it
 */
export async function setDefaultPreset(ctx: ServiceContext, { slug }: PresetInput): Promise<{ slug: string }> {
  return withOrg(ctx.orgId, async (tx) => {
    await pinPreset(tx, ctx, slug); // and hold it: a removal waits, then clears what was set here
    const section = await findSection(tx, ctx, { namespace: "presets", level: "org" }, settingsNamespaces);
    await writeSection(tx, ctx, section, {
      action: "preset.setDefault",
      change: (value) => ({ ...value, default: slug }),
      replaces: () => false,
    });
    return { slug };
  });
}
