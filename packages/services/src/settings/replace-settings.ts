import { settingsNamespaces } from "@gantry/compose";
import type { ReplaceSettings } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { findSection } from "./section-ref.ts";
import { writeSection } from "./write-section.ts";

/**
 * Puts a section in place of the whole one, secrets included; `{}` resets it (N-3). For callers that know all of it: who saw a redacted view sets
 * and unsets single paths. @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, REVISION_STALE, INPUT_REFUSED
 */
export async function replaceSettings(
  ctx: ServiceContext,
  input: ReplaceSettings,
  namespaces = settingsNamespaces,
): Promise<{ revision: number }> {
  const { values, expectedRevision } = input;
  return withOrg(ctx.orgId, async (tx) =>
    writeSection(tx, ctx, await findSection(tx, ctx, input, namespaces), {
      action: "settings.replace",
      expectedRevision,
      change: () => values,
      replaces: () => true,
    }),
  );
}
