import type { CreateWorkspace, WorkspaceId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { ServiceContext } from "../context.ts";
import { announceImport } from "./announce-import.ts";
import { checkCloneUrl } from "./clone-url.ts";
import { insertWorkspace } from "./insert-workspace.ts";

/**
 * Creates a workspace: empty and ready, or to be cloned by a worker, then `importing`.
 * @throws CONFLICT for a taken name, CLONE_REFUSED for an address that is not a public https repository
 */
export async function createWorkspace(ctx: ServiceContext, { name, source }: CreateWorkspace): Promise<{ workspaceId: WorkspaceId }> {
  const id = newId<WorkspaceId>();
  if (source.kind === "empty") {
    await insertWorkspace(ctx, { id, name, source });
    return { workspaceId: id };
  }
  const url = await checkCloneUrl(source.url, { allowPrivate: ctx.env.GANTRY_ALLOW_PRIVATE_HOSTS });
  await insertWorkspace(ctx, { id, name, source: { kind: "clone", url } });
  await announceImport(ctx, id);
  return { workspaceId: id };
}
