import { isAppError } from "@gantry/contracts";
import { storable, withOrg } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";
import { tellUnstarted } from "./give-up.ts";
import type { SessionHeader } from "./load-session.ts";
import type { UsedRoot } from "./roots/root-generation.ts";
import type { Lease } from "./session-lease.ts";

type Using = { readonly ref: SessionRef; readonly lease: Lease; readonly header: SessionHeader };

/** The root that a session runs in. How the start of the org's composition went is noted where its admins see it (M-13). @throws as `OrgRoots.use` */
export async function useRoot({ roots, log }: Pick<WorkerDeps, "roots" | "log">, using: Using): Promise<UsedRoot> {
  const { ref, header } = using;
  const note = (problem: string | null) =>
    noteStart(using, problem).catch((err: unknown) => log.warn({ err, ...ref }, "how a composition started was not noted"));
  try {
    const root = await roots.use(ref.orgId, header, header.readAt);
    if (root.verdict) await note(root.verdict.problem);
    return root;
  } catch (error) {
    if (isAppError(error, "COMPOSITION_INVALID") || isAppError(error, "INTERNAL")) await note(error.message);
    return await tellUnstarted(using, error);
  }
}

/** Written only where it is news; a pointer that moved meanwhile is not touched. */
async function noteStart({ ref: { orgId }, header }: Using, found: string | null): Promise<void> {
  const layer = header.layers.find(({ kind }) => kind === "org");
  const problem = storable(found);
  if (!layer || !header.pointer || header.pointer.problem === problem) return;
  const where = { orgId, profile: "web", kind: "org", revision: layer.revision };
  await withOrg(orgId, (tx) =>
    tx.compositionPointer.updateMany({ where, data: { problem, problemRevision: problem === null ? null : layer.revision } }),
  );
}
