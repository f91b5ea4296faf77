import { settingsNamespaces } from "@gantry/compose";
import type { UnsetSetting } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { withoutValue } from "./json-path.ts";
import { findSection } from "./section-ref.ts";
import { isWithin } from "./set-setting.ts";
import { writeSection } from "./write-section.ts";

/**
 * Takes one dotted path out of a section, so that it is inherited again; the rest, other secrets included, stays (N-3, KN-098).
 * @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, REVISION_STALE, INPUT_REFUSED
 */
export async function unsetSetting(
  ctx: ServiceContext,
  input: UnsetSetting,
  namespaces = settingsNamespaces,
): Promise<{ revision: number }> {
  const { path, expectedRevision } = input;
  return withOrg(ctx.orgId, async (tx) =>
    writeSection(tx, ctx, await findSection(tx, ctx, input, namespaces), {
      action: "settings.unset",
      expectedRevision,
      change: (value) => withoutValue(value, path),
      replaces: (secret) => isWithin(secret, path),
    }),
  );
}
