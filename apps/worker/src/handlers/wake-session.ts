import type { OrgId, SessionId } from "@gantry/contracts";
import type { WorkerDeps } from "../compose.ts";
import { holdSession } from "../hold-session.ts";

/**
 * Takes a session that needs attention. A session that is held elsewhere only needs a nudge (REC-3); one whose holder died
 * becomes free when its lease runs out, and the sweep wakes it then.
 */
export async function wakeSession(deps: WorkerDeps, ref: { orgId: OrgId; sessionId: SessionId }): Promise<void> {
  if (deps.holding.has(ref.sessionId) || deps.stop.aborted) return deps.nudge(ref);
  deps.holding.add(ref.sessionId);
  const started = Date.now();
  try {
    const outcome = await holdSession(deps, ref, deps.stop);
    if (outcome === "busy") return await deps.nudge(ref);
    deps.log.info({ ...ref, outcome, ms: Date.now() - started }, "session released");
  } finally {
    deps.holding.delete(ref.sessionId);
  }
}
