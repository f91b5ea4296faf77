import {
  type Composition,
  composeStored,
  describeIssue,
  type Facts,
  type Issue,
  type LayerKind,
  orgFacts,
  type ProviderRow,
} from "@gantry/compose";
import type { SessionStart } from "@gantry/db";
import type { Env } from "@gantry/platform";

/** What an org stores of its composition. */
export type OrgParts = Pick<SessionStart, "layers" | "plan"> & { readonly providers: readonly ProviderRow[] };
type Options = { readonly profile?: string; readonly upTo?: LayerKind };
type Platform = Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">;

/** What conditions may ask about an org here (E-6). */
export const factsOf = (plan: OrgParts["plan"], env: Platform): Facts =>
  orgFacts(plan, { os: process.platform, privateHosts: env.GANTRY_ALLOW_PRIVATE_HOSTS });

/**
 * What an org is composed of. The root mounts it and the dump prints it, so the two cannot differ (D-1). A stored layer that cannot be read is a
 * problem of the composition.
 */
export function orgComposition({ providers, layers, plan }: OrgParts, env: Platform, options: Options = {}): Composition {
  const texts = layers.map(({ kind, revision, bundles, source }) => ({ kind, label: `${kind}@${revision}`, bundles, source }));
  const { composition, unread } = composeStored({ ...options, providers, layers: texts, facts: factsOf(plan, env) });
  if (unread.length === 0) return composition;
  const issues = unread.map(({ kind, label, issues: found }): Issue => {
    const revision = label.slice(label.indexOf("@") + 1);
    const message = `Revision ${revision} cannot be read. The layer "${label}" was refused. ${found.map(describeIssue).join(" ")}`;
    return { code: "ROW_INVALID", path: `$.${kind}`, message };
  });
  return { ...composition, problems: [...issues, ...composition.problems] };
}
