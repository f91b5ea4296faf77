import type { Tx } from "@gantry/db";
import type { InstallRef } from "./install-locks.ts";
import type { OperationResult } from "./operation-result.ts";

/** How long the result of a request is remembered, ms. A repeat after that finds the bundle installed. */
const rememberedMs = 24 * 3_600_000;

export type InstallRecord = { readonly profile: string; readonly spec: string; readonly result: OperationResult };

/** What a completed installation left: its audit row carries the request's id and the result, so every web process finds it. */
export async function findInstall(tx: Tx, { orgId, requestId }: InstallRef): Promise<InstallRecord | null> {
  const createdAt = { gt: new Date(Date.now() - rememberedMs) };
  const row = await tx.auditEntry.findFirst({
    where: { orgId, action: "plugin.install", subject: requestId, createdAt },
    select: { details: true },
  });
  return row ? (row.details as unknown as { install: InstallRecord }).install : null;
}
