import type { SessionRef, WorkerDeps } from "../compose.ts";
import { holdSession } from "../hold-session.ts";

/**
 * Takes a session that needs attention. A session that is held already only needs a nudge (REC-3); one whose holder died
 * becomes free when its lease runs out, and the sweep wakes it then.
 */
export async function wakeSession(deps: WorkerDeps, ref: SessionRef, { takenOver }: { takenOver: boolean }): Promise<void> {
  if (deps.draining.aborted) return; // the sweep of another worker, or of this one after its restart, takes it
  if (deps.holding.has(ref.sessionId)) return deps.publisher.publishNudge(ref);
  deps.holding.add(ref.sessionId);
  const started = Date.now();
  try {
    const hold = () => holdSession(deps, ref, { leave: deps.draining, stop: deps.stop, outlive: takenOver });
    let outcome = await hold();
    while (outcome === "again" && !deps.draining.aborted) outcome = await hold();
    if (outcome === "busy") return await deps.publisher.publishNudge(ref);
    deps.log.info({ ...ref, outcome, ms: Date.now() - started }, "session given back");
  } finally {
    deps.holding.delete(ref.sessionId);
  }
}
