import type { OrgId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { tryLock, waitForLock } from "../composition/lock-composition.ts";

/**
 * Who runs and who cancels an installation, told between web processes by locks in Postgres that end with their transactions: `running` is held by the
 * installation, `verdict` by whichever comes first, the installation about to store or the one who cancels it. A process that dies holds neither.
 */
export type InstallRef = { readonly orgId: OrgId; readonly requestId: string };

const key = (which: "running" | "verdict", { orgId, requestId }: InstallRef): string => `install:${which}:${orgId}:${requestId}`;

/** From here on the request runs; a repeat waits until it has ended. @throws COMPOSITION_BUSY after 2 s */
export const beginInstall = (tx: Tx, ref: InstallRef): Promise<void> => waitForLock(tx, key("running", ref));

/** From here on it is too late to cancel. False: it was cancelled. */
export const passVerdict = (tx: Tx, ref: InstallRef): Promise<boolean> => tryLock(tx, key("verdict", ref));

/** Stops a running installation if it has not stored yet, and waits for its end. Says whether there was one. @throws COMPOSITION_BUSY */
export async function stopInstall(tx: Tx, ref: InstallRef): Promise<boolean> {
  if (await tryLock(tx, key("running", ref))) return false;
  await tryLock(tx, key("verdict", ref)); // when the installation has it already, its record tells
  await waitForLock(tx, key("running", ref));
  return true;
}
