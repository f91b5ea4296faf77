import { errorTable, isAppError } from "@gantry/contracts";
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
  await appendEvents(orgId, sessionId, {
    ...lease,
    events: [],
    consume,
    patch: { status: "failed", problem: error.message, wakeInMs: null },
  });
  const released = await releaseLease(orgId, sessionId, lease.epoch);
  return released === "lost" ? "lost" : "released";
}

type Unstarted = { readonly ref: SessionRef; readonly lease: Lease; readonly header: SessionHeader };

/**
 * The session's root or its agent cannot be made, and waiting alone does not help: people see why at once, what they wrote stays queued, and the sweep
 * tries again. What passes by itself is not told. @throws the error
 */
export async function tellUnstarted({ ref, lease, header }: Unstarted, error: unknown): Promise<never> {
  const problem = passes(error) ? null : sayUnstarted(error);
  if (problem !== null && (header.status !== "failed" || header.problem !== problem)) {
    await appendEvents(ref.orgId, ref.sessionId, { ...lease, events: [], patch: { status: "failed", problem } });
  }
  throw error;
}

/** A lost lease and a damaged log have their own ends. */
function passes(error: unknown): boolean {
  if (!isAppError(error)) return false;
  return error.code === "SESSION_CORRUPT" || (errorTable[error.code].retry && error.code !== "INTERNAL");
}

/** Only what was written for people is shown to them. */
function sayUnstarted(error: unknown): string {
  if (isAppError(error)) return error.message;
  if (error instanceof Error && "code" in error && error.code === "NO_AGENT_FACTORY")
    return "The organisation's composition has no agent loop, so no session can run. An admin has to switch it on again on the Plugins page.";
  return "The session could not be started, for a reason that is in the worker's log. It is tried again each minute; tell an admin if this stays.";
}
