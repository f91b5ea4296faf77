import { settingsNamespaces } from "@gantry/compose";
import type { UpdateSettings } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { isChangedAt, merged } from "./json-path.ts";
import { findSection } from "./section-ref.ts";
import { refuseUngated, writeSection } from "./write-section.ts";

/**
 * Merges values into a section; null takes a key out, and what lies below is inherited again (N-3).
 * @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, REVISION_STALE, INPUT_REFUSED
 */
export async function updateSettings(
  ctx: ServiceContext,
  input: UpdateSettings,
  namespaces = settingsNamespaces,
): Promise<{ revision: number }> {
  const { values, expectedRevision } = input;
  return withOrg(ctx.orgId, async (tx) =>
    writeSection(tx, ctx, await findSection(tx, ctx, input, namespaces), {
      action: "settings.update",
      expectedRevision,
      change(value) {
        refuseUngated(values);
        return merged(value, values);
      },
      replaces: (path) => isChangedAt(values, path),
    }),
  );
}
