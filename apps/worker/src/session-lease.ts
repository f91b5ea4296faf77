import { setTimeout } from "node:timers/promises";
import { acquireLease, renewLease } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";

/** between two looks at a dead holder's lease, in milliseconds */
const retryMs = 500;

/** The epoch that a holder writes with, and where the log ended when it took the session. */
export type Lease = { readonly epoch: number; readonly nextSeq: number };

/** The session's lease, or null when another holds it. `outlive`: waits until the lease of a holder that died has run out. */
export async function takeLease({ workerId, env }: WorkerDeps, { orgId, sessionId }: SessionRef, outlive: boolean): Promise<Lease | null> {
  const until = Date.now() + (outlive ? env.LEASE_TTL_MS + retryMs : 0);
  for (;;) {
    const lease = await acquireLease(orgId, sessionId, workerId, env.LEASE_TTL_MS);
    if (lease || Date.now() >= until) return lease;
    await setTimeout(retryMs);
  }
}

/** Renews the lease until told to stop. One that could not be renewed before it ran out is lost, whatever the reason (REC-1). */
export function keepLease({ env, log }: WorkerDeps, { orgId, sessionId }: SessionRef, epoch: number, lost: AbortController): () => void {
  let heldUntil = performance.now() + env.LEASE_TTL_MS;
  const timer = setInterval(() => {
    if (performance.now() >= heldUntil) lost.abort();
    const asked = performance.now();
    renewLease(orgId, sessionId, epoch, env.LEASE_TTL_MS).then(
      (held) => {
        if (held) heldUntil = asked + env.LEASE_TTL_MS;
        else lost.abort();
      },
      (err: unknown) => log.warn({ err, orgId, sessionId }, "the lease was not renewed; it is tried again until it runs out"),
    );
  }, env.LEASE_HEARTBEAT_MS);
  return () => clearInterval(timer);
}
