import type { SessionRef, WorkerDeps } from "../compose.ts";
import { holdSession } from "../hold-session.ts";

/** As the queue tells them of a ticket. */
type Trying = { readonly takenOver: boolean; readonly attempt?: number };

/**
 * Takes a session that needs attention. A session that is held already only needs a nudge (REC-3); one whose holder died
 * becomes free when its lease runs out, and the sweep wakes it then. Whoever had this very ticket before is known to hold no more: that is waited for.
 */
export async function wakeSession(deps: WorkerDeps, ref: SessionRef, { takenOver, attempt = 1 }: Trying): Promise<void> {
  if (deps.draining.aborted) return; // the sweep of another worker, or of this one after its restart, takes it
  if (deps.holding.has(ref.sessionId)) return deps.publisher.publishNudge(ref);
  deps.holding.add(ref.sessionId);
  const started = Date.now();
  try {
    const hold = () => holdSession(deps, ref, { leave: deps.draining, stop: deps.stop, outlive: takenOver || attempt > 1 });
    let outcome = await hold();
    while (outcome === "again" && !deps.draining.aborted) outcome = await hold();
    if (outcome === "busy") return await deps.publisher.publishNudge(ref);
    deps.log.info({ ...ref, outcome, ms: Date.now() - started }, "session given back");
  } finally {
    deps.holding.delete(ref.sessionId);
  }
}
