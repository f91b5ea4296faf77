import { isAppError } from "@gantry/contracts";
import { appendEvents, pendingCommands, releaseLease } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";
import type { HoldOutcome } from "./hold-session.ts";
import type { SessionHeader } from "./load-session.ts";
import type { Lease } from "./session-lease.ts";

/** No holder can go on with a damaged log: people are told so, and nothing stays waiting that would wake the session for ever (CP-31). */
export async function giveUp(deps: WorkerDeps, ref: SessionRef, lease: Lease, error: Error): Promise<HoldOutcome> {
  const { orgId, sessionId } = ref;
  deps.log.error({ ...ref, err: error }, "a session cannot be continued");
  const consume = (await pendingCommands(orgId, sessionId)).map(({ id }) => id);
  await appendEvents(orgId, sessionId, { ...lease, events: [], consume, patch: { status: "failed", problem: error.message } });
  const released = await releaseLease(orgId, sessionId, lease.epoch);
  return released === "lost" ? "lost" : "released";
}

type Rootless = { readonly ref: SessionRef; readonly lease: Lease; readonly header: SessionHeader };

/** Nothing of the org can start, and no earlier root serves it: people see why, and the sweep tries again. @throws the error */
export async function tellNoRoot({ ref, lease, header }: Rootless, error: unknown): Promise<never> {
  const isKnown = isAppError(error, "COMPOSITION_INVALID") || isAppError(error, "INTERNAL");
  if (isKnown && header.status !== "failed") {
    await appendEvents(ref.orgId, ref.sessionId, { ...lease, events: [], patch: { status: "failed", problem: error.message } });
  }
  throw error;
}
