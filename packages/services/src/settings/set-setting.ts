import { settingsNamespaces } from "@gantry/compose";
import { AppError, type SetSetting } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { withValue } from "./json-path.ts";
import { findSection } from "./section-ref.ts";
import { writeSection } from "./write-section.ts";

/**
 * Sets one dotted path of a section and leaves the rest, secrets included, as it is (N-3).
 * @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, REVISION_STALE, INPUT_REFUSED
 */
export async function setSetting(ctx: ServiceContext, input: SetSetting, namespaces = settingsNamespaces): Promise<{ revision: number }> {
  const { path, value: given, expectedRevision } = input;
  return withOrg(ctx.orgId, async (tx) =>
    writeSection(tx, ctx, await findSection(tx, ctx, input, namespaces), {
      action: "settings.set",
      expectedRevision,
      change: (value) => withValue(value, path, given) ?? refusePath(),
      replaces: (secret) => isWithin(secret, path),
    }),
  );
}

/** Whether a path is the other one or lies below it. */
export const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);

function refusePath(): never {
  throw new AppError("INPUT_REFUSED", "A part of this path holds a single value, so nothing can be set below it. Set that part first.");
}
