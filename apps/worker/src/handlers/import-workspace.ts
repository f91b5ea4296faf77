import { isAppError, type OrgId, type WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { EgressDecision } from "@gantry/sandbox";
import { z } from "zod";
import type { WorkerDeps } from "../compose.ts";
import { cloneRepository } from "../import/clone.ts";

const limitMs = 10 * 60_000;
const Source = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("empty") }),
  z.object({
    kind: z.literal("archive"),
    name: z.string(),
    object: z.string(),
    format: z.enum(["tar", "tar.gz", "zip"]),
    bytes: z.number(),
  }),
  z.object({ kind: z.literal("clone"), url: z.string() }),
]);
type Ref = { orgId: OrgId; workspaceId: WorkspaceId };
/** What this process imports now: a Redis that lost its jobs lets the sweep ask for one that is under way. */
const underWay = new Set<WorkspaceId>();

/** Fills a workspace inside a world of its own: the bytes are untrusted and are unpacked nowhere else (SC-F3). Safe to repeat: it ends in one state. */
export async function importWorkspace(deps: WorkerDeps, ref: Ref): Promise<void> {
  const source = await withOrg(ref.orgId, (tx) =>
    tx.workspace.findUnique({ where: { orgId_id: { orgId: ref.orgId, id: ref.workspaceId } } }),
  );
  if (source?.state !== "importing" || underWay.has(ref.workspaceId)) return;
  underWay.add(ref.workspaceId);
  try {
    await fill(deps, ref, Source.parse(source.source));
    await finish(ref, { state: "ready", problem: null });
  } catch (error) {
    if (deps.stop.aborted) return; // the next worker's sweep asks for it again
    deps.log.warn({ ...ref, err: error }, "import failed");
    const problem = isAppError(error) ? error.message : "The files could not be imported because of a fault on our side. Try again.";
    await finish(ref, { state: "failed", problem });
  } finally {
    underWay.delete(ref.workspaceId);
  }
}

async function fill(deps: WorkerDeps, ref: Ref, source: z.infer<typeof Source>): Promise<void> {
  if (source.kind === "empty") return;
  const signal = AbortSignal.any([deps.stop, AbortSignal.timeout(limitMs)]);
  const worldId = newId();
  const maxBytes = deps.env.WORKSPACE_QUOTA_MB * 1024 * 1024;
  if (source.kind === "clone") {
    const { GANTRY_ALLOW_PRIVATE_HOSTS: allowPrivate, GANTRY_EXTRA_CA_FILE: extraCaFile } = deps.env;
    const onDecision = (decision: EgressDecision) => deps.log.info({ ...ref, worldId, ...decision }, "connection out of a sandbox");
    await cloneRepository(deps.sandbox, { ...ref, worldId, url: source.url, allowPrivate, maxBytes, extraCaFile, signal, onDecision });
    return;
  }
  const world = await deps.sandbox.openWorld({ ...ref, worldId, sessionId: null, epoch: 1, mode: "workspace-write", signal });
  try {
    await world.importArchive(await deps.objects.get(source.object), { format: source.format, limits: { maxBytes }, signal });
  } finally {
    world.detach();
    await deps.sandbox.stopWorld(worldId);
  }
  await deps.objects.delete(source.object);
}

async function finish({ orgId, workspaceId }: Ref, data: { state: "ready" | "failed"; problem: string | null }): Promise<void> {
  await withOrg(orgId, (tx) => tx.workspace.updateMany({ where: { orgId, id: workspaceId, state: "importing" }, data }));
}
