import { AppError, type OrgId } from "@gantry/contracts";
import { isLockTimeout, type Tx, withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { type CompositionState, readState } from "./composition-state.ts";

/** How long a change waits for another one of the same org and profile, ms. */
const lockWaitMs = 2_000;
/** Of the whole transaction: waiting, composing a large layer, writing. */
export const changeTimeoutMs = 10_000;

export type Expectation = { readonly profile: string; readonly expectedRevision: number };

/**
 * Runs one change of an org's composition: one at a time per org and profile (N-10), on the state that its author saw. Everything `work` writes is there
 * as a whole or not at all. @throws COMPOSITION_BUSY after 2 s, REVISION_STALE, NOT_FOUND for an unknown profile
 */
export function changeComposition<T>(
  ctx: ServiceContext,
  expectation: Expectation,
  work: (tx: Tx, state: CompositionState) => Promise<T>,
): Promise<T> {
  return withOrg(ctx.orgId, async (tx) => work(tx, await lockState(tx, ctx, expectation)), { timeoutMs: changeTimeoutMs });
}

/**
 * Takes the write lock until the end of the transaction and reads what it protects. A number names one content for ever, so a change that expects it is
 * right again after a roll back to it: its author saw exactly what is in force. @throws as {@link changeComposition}
 */
export async function lockState(tx: Tx, ctx: ServiceContext, { profile, expectedRevision }: Expectation): Promise<CompositionState> {
  await waitForLock(tx, compositionLock(ctx.orgId, profile));
  const state = await readState(tx, ctx, profile);
  if (state.org.revision !== expectedRevision) {
    const message = "Somebody else changed this composition meanwhile. Load it again and repeat your change.";
    throw new AppError("REVISION_STALE", message, { data: { revision: state.org.revision } });
  }
  return state;
}

export const compositionLock = (orgId: OrgId, profile: string): string => `composition:${orgId}:${profile}`;

/** Takes a lock that ends with the transaction. @throws COMPOSITION_BUSY when somebody holds it for 2 s */
export async function waitForLock(tx: Tx, key: string): Promise<void> {
  await tx.$executeRaw`SELECT set_config('lock_timeout', ${String(lockWaitMs)}, true)`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.catch((cause: unknown) => {
    if (!isLockTimeout(cause)) throw cause;
    throw new AppError("COMPOSITION_BUSY", "Another change of this composition is being made. Try again in a moment.", { cause });
  });
}

/** Takes a lock that ends with the transaction, if nobody has it. */
export async function tryLock(tx: Tx, key: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS taken`;
  return row?.taken === true;
}
