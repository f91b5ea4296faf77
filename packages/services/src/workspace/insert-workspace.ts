import { AppError, type WorkspaceId } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import type { WorkspaceSource } from "./workspace-view.ts";

type NewWorkspace = { readonly id: WorkspaceId; readonly name: string; readonly source: WorkspaceSource };

/** Stores a workspace; whatever has to be filled first starts as `importing`. @throws CONFLICT when the name is taken in the organisation */
export async function insertWorkspace(ctx: ServiceContext, { id, name, source }: NewWorkspace): Promise<void> {
  await withOrg(ctx.orgId, async (tx) => {
    const state = source.kind === "empty" ? "ready" : "importing";
    const row = { id, orgId: ctx.orgId, name, state, source, createdBy: ctx.userId } as const;
    const stored = await tx.workspace.createMany({ data: [row], skipDuplicates: true });
    if (stored.count === 0) throw nameTaken();
    await writeAudit(tx, ctx, { action: "workspace.create", subject: id, details: { name, kind: source.kind } });
  });
}

/** Fails early, before bytes are taken in; the unique index decides in the end. @throws CONFLICT */
export async function assertNameFree(tx: Tx, ctx: ServiceContext, name: string): Promise<void> {
  const taken = await tx.workspace.findUnique({ where: { orgId_name: { orgId: ctx.orgId, name } }, select: { id: true } });
  if (taken) throw nameTaken();
}

function nameTaken(): AppError {
  return new AppError("CONFLICT", "A workspace of this name exists already. Choose another name.", { data: { field: "name" } });
}
