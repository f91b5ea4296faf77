import { type DumpJson, describeWarning, dumpJson, dumpText, type Issue } from "@gantry/compose";
import type { GetComposition } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { composeState } from "./compose-state.ts";
import { readRevision, readState } from "./composition-state.ts";

export type CompositionView = {
  /** rows with who wrote them and what becomes of them (D-2, D-4) */
  readonly dump: DumpJson;
  /** the same for people: YAML that can be saved as a layer (D-3) */
  readonly text: string;
  /** of the org's layer in this answer; 0 when it has written nothing */
  readonly revision: number;
  /** why it must not be mounted; places are lines of the org's text */
  readonly problems: readonly Issue[];
  readonly warnings: readonly string[];
  /** why the revision in force is not in use: what a worker found when it started it; `serves` is the revision that does, null: none */
  readonly notStarted: { readonly problem: string; readonly serves: number | null } | null;
};

/**
 * The dump of an org's composition; both forms come from one composing, and from the composer that mounts (D-1). `upTo` leaves out later layers unread, so
 * that a broken one is in nobody's way (D-6); `revision` shows another revision of the org's layer. The read is audited (D-7).
 * @throws NOT_FOUND for an unknown profile or revision
 */
export function getComposition(ctx: ServiceContext, { profile, upTo = "org", revision }: GetComposition): Promise<CompositionView> {
  return withOrg(ctx.orgId, async (tx) => {
    const state = await readState(tx, ctx, profile);
    const org = revision === undefined ? state.org : await readRevision(tx, ctx.orgId, profile, revision);
    const shown = upTo === "org" ? org : { ...org, bundles: [] }; // which bundles the org chose belongs to its layer
    const { composition, problems } = composeState(state, { org: shown, upTo });
    await writeAudit(tx, ctx, { action: "composition.get", subject: profile, details: { revision: org.revision, upTo } });
    return {
      dump: dumpJson(composition, { resolved: true }),
      text: dumpText(composition, { resolved: true }),
      revision: org.revision,
      problems,
      warnings: composition.warnings.map(describeWarning),
      notStarted: state.problem === null ? null : { problem: state.problem, serves: state.previous },
    };
  });
}
