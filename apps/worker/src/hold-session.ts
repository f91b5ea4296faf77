import { type Agent, applyCommand, recoverSession } from "@gantry/agent";
import { type CommandPayload, isAppError, type OrgId, type SessionId } from "@gantry/contracts";
import { acquireLease, appendEvents, pendingCommands, readEvents, releaseLease, renewLease } from "@gantry/db";
import type { WorkerDeps } from "./compose.ts";
import { loadSession } from "./load-session.ts";

export type HoldOutcome = "released" | "busy" | "lost";
type SessionRef = { orgId: OrgId; sessionId: SessionId };

/**
 * Holds one session from lease to release (specs/agent-core §9.3): loads the log, repairs it, consumes commands in order,
 * runs turns until nothing waits. `busy`: another worker holds it. `lost`: another worker took it; nothing was written after.
 */
export async function holdSession(deps: WorkerDeps, ref: SessionRef, stop: AbortSignal): Promise<HoldOutcome> {
  const { env, workerId } = deps;
  const lease = await acquireLease(ref.orgId, ref.sessionId, workerId, env.LEASE_TTL_MS);
  if (!lease) return "busy";
  const log = deps.log.child({ orgId: ref.orgId, sessionId: ref.sessionId, epoch: lease.epoch });
  const header = await loadSession(ref);
  const root = await deps.roots.use(ref.orgId);
  const lost = new AbortController();
  let agent: Agent | undefined;
  const heartbeat = setInterval(() => {
    renewLease(ref.orgId, ref.sessionId, lease.epoch, env.LEASE_TTL_MS).then(
      (held) => held || lost.abort(),
      (error: unknown) => log.warn({ err: error }, "lease not renewed"),
    );
  }, env.LEASE_HEARTBEAT_MS);
  try {
    agent = await root.createAgent({
      ...ref,
      header,
      epoch: lease.epoch,
      events: await readEvents(ref.orgId, ref.sessionId),
      write: (batch) => appendEvents(ref.orgId, ref.sessionId, { epoch: lease.epoch, ...batch }),
      onFenced: () => lost.abort(),
    });
    const held = agent;
    lost.signal.addEventListener("abort", () => held.abandon(), { once: true });
    stop.addEventListener("abort", () => held.abandon(), { once: true });
    const recovery = await recoverSession(held);
    if (recovery.interrupted) log.info({ continues: recovery.continues }, "repaired an interrupted turn");
    return await serve(deps, held, { ref, epoch: lease.epoch, lost: lost.signal, stop });
  } finally {
    clearInterval(heartbeat);
    await agent?.dispose();
    root.release();
  }
}

type Hold = { ref: SessionRef; epoch: number; lost: AbortSignal; stop: AbortSignal };

/** Drains commands and waits for the agent, until the lease goes back with nothing waiting. */
async function serve(deps: WorkerDeps, agent: Agent, { ref, epoch, lost, stop }: Hold): Promise<HoldOutcome> {
  const drain = commandDrain(agent, ref);
  const stopNudges = deps.onNudge(ref, () => {
    drain().catch((error: unknown) => deps.log.warn({ err: error, ...ref }, "commands not read; the next wake reads them"));
  });
  try {
    for (;;) {
      await drain();
      await agent.whenIdle();
      if (lost.aborted || agent.log.isFenced) return "lost";
      await agent.log.flush();
      const released = await releaseLease(ref.orgId, ref.sessionId, epoch, { evenIfPending: stop.aborted });
      if (released !== "pending") return released;
    }
  } catch (error) {
    if (isAppError(error, "LEASE_LOST")) return "lost";
    throw error;
  } finally {
    stopNudges();
  }
}

/** Applies each waiting command once, in order (SES-34); runs one pass at a time. */
function commandDrain(agent: Agent, ref: SessionRef): () => Promise<void> {
  const applied = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  const pass = async () => {
    for (const { id, payload } of await pendingCommands(ref.orgId, ref.sessionId)) {
      if (applied.has(id)) continue;
      applied.add(id);
      applyCommand(agent, payload as CommandPayload);
      agent.log.consume(id);
    }
  };
  return () => {
    last = last.then(pass, pass);
    return last;
  };
}
