import { setTimeout as pause } from "node:timers/promises";
import { acquireLease, renewLease } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";

/** between two looks at a dead holder's lease, in milliseconds */
const retryMs = 500;

export type Lease = {
  /** what the holder writes with */
  readonly epoch: number;
  /** where the log ended, and what the session's row said, when it was taken */
  readonly nextSeq: number;
  readonly status: string;
  /** the time at which the session goes on by itself had come (CP-56) */
  readonly isDue: boolean;
  /** when it was asked for, by `performance.now()`: it runs from then at the latest */
  readonly asked: number;
};

/** The session's lease, or null when another holds it. `outlive`: waits until the lease of a holder that died has run out. */
export async function takeLease({ workerId, env }: WorkerDeps, { orgId, sessionId }: SessionRef, outlive: boolean): Promise<Lease | null> {
  const until = performance.now() + (outlive ? env.LEASE_TTL_MS + retryMs : 0);
  for (;;) {
    const asked = performance.now();
    const lease = await acquireLease(orgId, sessionId, workerId, env.LEASE_TTL_MS);
    if (lease) return { ...lease, asked };
    if (performance.now() >= until) return null;
    await pause(retryMs);
  }
}

type Keeping = SessionRef & Pick<Lease, "epoch" | "asked">;

/** Renews the lease until told to stop. One that could not be renewed before it ran out is lost at that moment, whatever the reason (REC-1). */
export function keepLease({ env, log }: Pick<WorkerDeps, "env" | "log">, lease: Keeping, lost: AbortController): () => void {
  const { orgId, sessionId, epoch } = lease;
  const endsAfter = (asked: number) => setTimeout(() => lost.abort(), asked + env.LEASE_TTL_MS - performance.now());
  let end = endsAfter(lease.asked);
  let isStopped = false;
  const timer = setInterval(() => {
    const asked = performance.now();
    renewLease(orgId, sessionId, epoch, env.LEASE_TTL_MS).then(
      (held) => {
        if (!held) return lost.abort();
        clearTimeout(end);
        if (!isStopped) end = endsAfter(asked);
      },
      (err: unknown) => log.warn({ err, orgId, sessionId }, "the lease was not renewed; it is tried again until it runs out"),
    );
  }, env.LEASE_HEARTBEAT_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
    clearTimeout(end);
  };
}
