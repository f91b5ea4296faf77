import type { Tx } from "@gantry/db";
import type { InstallRef } from "./install-locks.ts";
import type { OperationResult } from "./operation-result.ts";

/** How long the result of a request is remembered, ms. A repeat after that finds the bundle installed. */
const rememberedMs = 24 * 3_600_000;

export type InstallRecord = { readonly profile: string; readonly spec: string; readonly result: OperationResult };

const since = () => new Date(Date.now() - rememberedMs);

/** Whether somebody was told that this request is cancelled: then it stores nothing, whichever of its repeats comes next. */
export async function isCancelled(tx: Tx, { orgId, requestId }: InstallRef): Promise<boolean> {
  const answer = { path: ["answer"], equals: "cancelled" };
  const where = { orgId, action: "plugin.cancel", subject: requestId, createdAt: { gt: since() }, details: answer };
  return (await tx.auditEntry.findFirst({ where, select: { createdAt: true } })) !== null;
}

/** What a completed installation left: its audit row carries the request's id and the result, so every web process finds it. */
export async function findInstall(tx: Tx, { orgId, requestId }: InstallRef): Promise<InstallRecord | null> {
  const row = await tx.auditEntry.findFirst({
    where: { orgId, action: "plugin.install", subject: requestId, createdAt: { gt: since() } },
    select: { details: true },
  });
  return row ? (row.details as unknown as { install: InstallRecord }).install : null;
}
