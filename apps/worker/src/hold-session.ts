import { setTimeout } from "node:timers/promises";
import { type Agent, type AgentOptions, applyCommand, recoverSession } from "@gantry/agent";
import { isAppError } from "@gantry/contracts";
import { acquireLease, appendEvents, handOverLease, pendingCommands, readEvents, releaseLease, renewLease } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";
import { sweepOrg } from "./handlers/sweep-sessions.ts";
import { loadSession, type SessionHeader } from "./load-session.ts";
import { SessionWorld } from "./session-world.ts";
import { Wakeups } from "./wakeups.ts";
import { watchForStop } from "./watch-for-stop.ts";

/** between two looks at a dead holder's lease, in milliseconds */
const retryMs = 500;

export type HoldOutcome = "released" | "busy" | "lost";
type HoldOptions = {
  stop: AbortSignal;
  /** wait for the lease of a holder that is known to have died, instead of answering `busy` */
  outlive: boolean;
};
type Hold = { ref: SessionRef; epoch: number; lost: AbortSignal; stop: AbortSignal; wakeups: Wakeups; world: SessionWorld };

/**
 * Holds one session from lease to release (specs/agent-core §9.3): loads the log, repairs it, consumes commands in order,
 * runs turns until nothing waits. `busy`: another worker holds it. `lost`: another worker took it; nothing was written after.
 */
export async function holdSession(deps: WorkerDeps, ref: SessionRef, { stop, outlive }: HoldOptions): Promise<HoldOutcome> {
  const header = await loadSession(ref);
  const lease = await takeLease(deps, ref, outlive);
  if (!lease) return "busy";
  const lost = new AbortController();
  const stopHeartbeat = keepLease(deps, ref, lease.epoch, lost);
  const wakeups = new Wakeups(deps.subscriber, ref, AbortSignal.any([lost.signal, stop]));
  const world = new SessionWorld(deps.sandbox, header.workspaceId);
  try {
    return await withAgent(deps, { ref, epoch: lease.epoch, lost, world, header }, (agent) =>
      serve(deps, agent, { ref, epoch: lease.epoch, lost: lost.signal, stop, wakeups, world }),
    );
  } catch (error) {
    if (lost.signal.aborted || isAppError(error, "LEASE_LOST")) return "lost";
    if (isAppError(error, "SESSION_CORRUPT")) return await giveUp(deps, ref, lease, error);
    // not handed over: what failed here fails at once with the next holder too, so it waits for the clock of the sweep
    await handOverLease(ref.orgId, ref.sessionId, lease.epoch);
    throw error;
  } finally {
    stopHeartbeat();
    wakeups.close();
    world.close();
  }
}

async function takeLease({ workerId, env }: WorkerDeps, { orgId, sessionId }: SessionRef, outlive: boolean) {
  const until = Date.now() + (outlive ? env.LEASE_TTL_MS + retryMs : 0);
  for (;;) {
    const lease = await acquireLease(orgId, sessionId, workerId, env.LEASE_TTL_MS);
    if (lease || Date.now() >= until) return lease;
    await setTimeout(retryMs);
  }
}

type Making = { ref: SessionRef; epoch: number; lost: AbortController; world: SessionWorld; header: SessionHeader };

async function withAgent<T>(deps: WorkerDeps, making: Making, work: (agent: Agent) => Promise<T>): Promise<T> {
  const { ref, epoch, lost, world, header } = making;
  const log = deps.log.child({ ...ref, epoch });
  const root = await deps.roots.use(ref.orgId, header.providers);
  try {
    const options: AgentOptions = {
      ...ref,
      userId: header.createdBy,
      epoch,
      events: await readEvents(ref.orgId, ref.sessionId),
      route: { provider: header.provider, model: header.model },
      mode: "workspace-write",
      write: (batch) => appendEvents(ref.orgId, ref.sessionId, { epoch, ...batch }),
      publish: (frame) => deps.publisher.publish(ref.orgId, ref.sessionId, frame),
      openWorld: (owner, signal) => world.open(owner, signal),
      onWriteError: (error) => log.warn({ err: error }, "the session's log was not written"),
      onFenced: () => lost.abort(),
    };
    const agent = await root.createAgent(options, header.preset);
    try {
      return await work(agent);
    } finally {
      await root.disposeAgent(agent);
    }
  } finally {
    root.release();
  }
}

/** Renews the lease until told to stop. One that could not be renewed before it ran out is lost, whatever the reason (REC-1). */
function keepLease({ env, log }: WorkerDeps, { orgId, sessionId }: SessionRef, epoch: number, lost: AbortController): () => void {
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

/** Drains commands and waits for the agent, until the lease goes back with nothing waiting. */
async function serve(deps: WorkerDeps, agent: Agent, { ref, epoch, lost, stop, wakeups, world }: Hold): Promise<HoldOutcome> {
  const { orgId, sessionId } = ref;
  const drain = commandDrain(agent, ref);
  const ended = AbortSignal.any([lost, stop]);
  const abandon = () => {
    world.close(); // first, so that the stop below ends no command: the next holder joins it
    void agent.stop();
  };
  ended.addEventListener("abort", abandon, { once: true });
  const watch = watchForStop(deps.subscriber, ref);
  await recoverSession(agent, { ended, stopAsked: watch.stopAsked }).finally(watch.close);
  for (;;) {
    wakeups.isDue = false;
    await drain();
    await Promise.race([agent.whenIdle(), wakeups.next()]);
    if (lost.aborted || agent.log.isFenced) return "lost";
    if (!stop.aborted && (agent.status === "running" || wakeups.isDue)) continue;
    await agent.whenIdle();
    if (!stop.aborted) await agent.log.flush();
    if (!stop.aborted && (await wakeups.lingers())) continue;
    if (stop.aborted && hasWork(agent)) {
      await handOver(deps, ref, epoch);
      return "released";
    }
    const released = await releaseLease(orgId, sessionId, epoch);
    if (stop.aborted) return "released"; // a command that waits is found by the sweep
    if (released !== "pending") return released;
  }
}

function hasWork(agent: Agent): boolean {
  return agent.log.turn > 0 || !agent.inbox.isEmpty;
}

/** No holder can go on with a damaged log: people are told so, and nothing stays waiting that would wake the session for ever (CP-31). */
async function giveUp(deps: WorkerDeps, ref: SessionRef, lease: { epoch: number; nextSeq: number }, error: Error): Promise<HoldOutcome> {
  const { orgId, sessionId } = ref;
  deps.log.error({ ...ref, err: error }, "a session cannot be continued");
  const consume = (await pendingCommands(orgId, sessionId)).map(({ id }) => id);
  await appendEvents(orgId, sessionId, { ...lease, events: [], consume, patch: { status: "failed", problem: error.message } });
  const released = await releaseLease(orgId, sessionId, lease.epoch);
  return released === "lost" ? "lost" : "released";
}

/** Gives the session to whoever takes the next ticket. */
async function handOver(deps: WorkerDeps, { orgId, sessionId }: SessionRef, epoch: number): Promise<void> {
  await handOverLease(orgId, sessionId, epoch);
  await sweepOrg(deps, orgId).catch((err: unknown) =>
    deps.log.warn({ err, orgId, sessionId }, "handed over without a ticket; the sweep finds it"),
  );
}

/** Applies each waiting command once, in order (SES-34). */
function commandDrain(agent: Agent, { orgId, sessionId }: SessionRef): () => Promise<void> {
  const applied = new Set<string>();
  return async () => {
    for (const { id, payload } of await pendingCommands(orgId, sessionId)) {
      if (applied.has(id)) continue;
      applied.add(id);
      applyCommand(agent, payload);
      agent.log.consume(id);
    }
  };
}
