import type { CancelInstall } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import { changeTimeoutMs } from "../composition/lock-composition.ts";
import type { ServiceContext } from "../context.ts";
import { stopInstall } from "./install-locks.ts";
import { findInstall } from "./install-record.ts";

export type CancelAnswer = { readonly answer: "cancelled" | "too-late" | "not-running" };

/** Stops an installation that has stored nothing yet. `cancelled`: it has ended and nothing was stored. @throws COMPOSITION_BUSY */
export function cancelInstall(ctx: ServiceContext, { profile, requestId }: CancelInstall): Promise<CancelAnswer> {
  const ref = { orgId: ctx.orgId, requestId };
  return withOrg(
    ctx.orgId,
    async (tx) => {
      const wasRunning = await stopInstall(tx, ref);
      const answer = (await findInstall(tx, ref)) ? "too-late" : wasRunning ? "cancelled" : "not-running";
      await writeAudit(tx, ctx, { action: "plugin.cancel", subject: requestId, details: { profile, answer } });
      return { answer };
    },
    { timeoutMs: changeTimeoutMs },
  );
}
