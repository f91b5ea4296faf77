import { type Agent, type AgentOptions, pinPermission, recoverSession, secretRedactor } from "@gantry/agent";
import { isAppError } from "@gantry/contracts";
import { appendEvents, dispatchedCalls, handOverLease, type PendingCommand, pendingCommands, readEvents, releaseLease } from "@gantry/db";
import { autoContinue } from "./auto-continue.ts";
import { commandDrain } from "./command-drain.ts";
import type { SessionRef, WorkerDeps } from "./compose.ts";
import { giveUp, tellUnstarted } from "./give-up.ts";
import { sweepOrg } from "./handlers/sweep-sessions.ts";
import { loadSession, type SessionHeader } from "./load-session.ts";
import { type OpenedAgent, openAgent } from "./open-agent.ts";
import type { UsedRoot } from "./roots/root-generation.ts";
import { logSwitch } from "./select-preset.ts";
import { keepLease, type Lease, takeLease } from "./session-lease.ts";
import { SessionWorld } from "./session-world.ts";
import { standStill } from "./stand-still.ts";
import { useRoot } from "./use-root.ts";
import { Wakeups } from "./wakeups.ts";
import { watchForStop } from "./watch-for-stop.ts";

/** `again`: the caller holds the session anew at once, on the org's present root or with what a person asked for meanwhile */
export type HoldOutcome = "released" | "busy" | "lost" | "again";
type HoldOptions = {
  /** give the session to another worker at its next step boundary (REC-4) */
  leave: AbortSignal;
  /** give it away where it stands */
  stop: AbortSignal;
  /** wait for the lease of a holder that is known to have died, instead of answering `busy` */
  outlive: boolean;
};
type Opened = Extract<OpenedAgent, { agent: Agent }> & { root: UsedRoot };
type Hold = Opened & {
  ref: SessionRef;
  epoch: number;
  /** of the session's row when the lease was taken */
  status: string;
  isDue: boolean;
  lost: AbortSignal;
  leave: AbortSignal;
  stop: AbortSignal;
  wakeups: Wakeups;
  world: SessionWorld;
  header: SessionHeader;
  /** those that waited when the lease was taken */
  commands: Promise<PendingCommand[]>;
};

/**
 * Holds one session from lease to release (specs/agent-core §9.3): loads the log, repairs it, consumes commands in order,
 * runs turns until nothing waits. `busy`: another worker holds it. `lost`: another worker took it; nothing was written after.
 */
export async function holdSession(deps: WorkerDeps, ref: SessionRef, { leave, stop, outlive }: HoldOptions): Promise<HoldOutcome> {
  const taken = await take(deps, ref, outlive);
  if (!taken) return "busy";
  const { header, lease } = taken;
  const lost = new AbortController();
  const stopHeartbeat = keepLease(deps, { ...ref, ...lease }, lost);
  const wakeups = new Wakeups(deps.subscriber, ref, AbortSignal.any([lost.signal, stop]));
  const world = new SessionWorld(deps.sandbox, header.workspaceId);
  // while the log is read; a command that comes later rings, or rang already
  const commands = pendingCommands(ref.orgId, ref.sessionId);
  commands.catch(() => {}); // told to the drain that takes them
  try {
    return await withAgent(deps, { ref, lease, lost, world, header }, (opened) =>
      serve(deps, { ...opened, ref, ...lease, lost: lost.signal, leave, stop, wakeups, world, header, commands }),
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

/**
 * What a session starts with, and its lease; null when another holds it. Both are asked for at the same time, but for an org that this worker has not met:
 * working out what it is composed of takes a cold worker so long that a lease could run out meanwhile.
 */
async function take(deps: WorkerDeps, ref: SessionRef, outlive: boolean): Promise<{ header: SessionHeader; lease: Lease } | null> {
  const loading = loadSession(ref, deps.grounds);
  if (!deps.grounds.knows(ref.orgId)) await loading;
  const [header, lease] = await Promise.allSettled([loading, takeLease(deps, ref, outlive)]);
  if (lease.status === "rejected") throw lease.reason;
  if (header.status === "rejected") {
    if (lease.value) await handOverLease(ref.orgId, ref.sessionId, lease.value.epoch);
    throw header.reason;
  }
  return lease.value && { header: header.value, lease: lease.value };
}

type Making = { ref: SessionRef; lease: Lease; lost: AbortController; world: SessionWorld; header: SessionHeader };

/** Runs `work` with the session's agent; a session whose preset cannot be mounted is given back read-only instead. */
async function withAgent(deps: WorkerDeps, making: Making, work: (opened: Opened) => Promise<HoldOutcome>): Promise<HoldOutcome> {
  const { ref, lease, header } = making;
  const root = await useRoot(deps, making);
  try {
    const opened = await agentOptions(deps, making)
      .then((options) => openAgent({ ref, root, header, options }))
      .catch((error: unknown) => tellUnstarted(making, error));
    if (!opened.agent) return await standStill(deps, { ref, lease, header, ...opened });
    try {
      return await work({ ...opened, root });
    } finally {
      await root.disposeAgent(opened.agent);
    }
  } finally {
    root.release();
  }
}

async function agentOptions(deps: WorkerDeps, { ref, lease: { epoch }, lost, world, header }: Making): Promise<AgentOptions> {
  const log = deps.log.child({ ...ref, epoch });
  const [events, secrets] = await Promise.all([
    readEvents(ref.orgId, ref.sessionId, { keepUnknown: true }),
    deps.roots.secrets.all(ref.orgId),
  ]);
  return {
    ...ref,
    userId: header.createdBy,
    workspaceId: header.workspaceId,
    epoch,
    events,
    ...(header.seedLength === null ? {} : { seedLength: header.seedLength }),
    route: { provider: header.provider, model: header.model },
    mode: "workspace-write",
    redact: secretRedactor(secrets),
    write: (batch) => appendEvents(ref.orgId, ref.sessionId, { epoch, ...batch }),
    publish: (frame) => deps.publisher.publish(ref.orgId, ref.sessionId, frame),
    openWorld: (owner, mode) => world.open(owner, mode),
    openSibling: (owner, mode, signal) => world.openSibling(owner, mode, signal),
    onWriteError: (error) => log.warn({ err: error }, "the session's log was not written"),
    onFenced: () => lost.abort(),
  };
}

/** Drains commands and waits for the agent, until the lease goes back with nothing waiting. */
async function serve(deps: WorkerDeps, hold: Hold): Promise<HoldOutcome> {
  const { agent, lost, leave, stop, wakeups, world } = hold;
  const { outdated, revoked } = hold.root;
  const ended = AbortSignal.any([lost, stop]);
  const abandon = () => {
    world.close(); // first, so that the stop below ends no command: the next holder joins it
    void agent.stop();
  };
  const over = new AbortController();
  const once = { once: true, signal: over.signal };
  ended.addEventListener("abort", abandon, once);
  // M-15: here the stop does end the command
  revoked.addEventListener("abort", () => void agent.stop().finally(wakeups.ring), once);
  outdated.addEventListener("abort", wakeups.ring, once);
  const depart = () => {
    agent.leave();
    wakeups.ring();
  };
  if (leave.aborted) depart();
  leave.addEventListener("abort", depart, once);
  try {
    return await run(deps, hold);
  } finally {
    over.abort();
  }
}

/** The session's work, until the lease goes back. */
async function run(deps: WorkerDeps, hold: Hold): Promise<HoldOutcome> {
  const { agent, root, selection, ref, epoch, lost, leave, stop, wakeups } = hold;
  const { orgId, sessionId } = ref;
  const { outdated, revoked } = root;
  const drain = commandDrain(deps, hold);
  const ended = AbortSignal.any([lost, stop, revoked]);
  const watch = watchForStop(deps.subscriber, ref);
  const betweenTurns = () => {
    if (selection) logSwitch(agent, selection);
    pinPermission(agent, hold.header.permission);
  };
  const dispatched = (from: number) => dispatchedCalls(orgId, sessionId, from);
  const evidence = {
    ended,
    stopAsked: watch.stopAsked,
    dispatched,
    autoContinue: autoContinue(hold.header),
    status: hold.status,
    isDue: hold.isDue,
    mayWait: !selection,
  };
  await recoverSession(agent, evidence, betweenTurns).finally(watch.close);
  let first: PendingCommand[] | null = await hold.commands;
  for (;;) {
    if (!first) wakeups.isDue = false; // before they are read
    await drain(first ?? (await pendingCommands(orgId, sessionId)));
    first = null;
    await Promise.race([agent.whenIdle(), wakeups.next()]);
    if (lost.aborted || agent.log.isFenced) return "lost";
    if (!stop.aborted && !revoked.aborted && (agent.status === "running" || wakeups.isDue)) continue;
    await agent.whenIdle();
    if (!stop.aborted) await agent.log.flush();
    if (revoked.aborted) {
      await handOverLease(orgId, sessionId, epoch);
      return "released";
    }
    const isGoing = stop.aborted || leave.aborted;
    // one that waits for a person may wait for days: nobody holds it
    const mayLinger = !isGoing && !outdated.aborted && !agent.isWaiting && !hasFailed(agent);
    if (mayLinger && (await wakeups.lingers())) continue;
    if (isGoing && hasWork(agent)) {
      await handOver(deps, ref, epoch);
      return "released";
    }
    const released = await releaseLease(orgId, sessionId, epoch);
    if (stop.aborted) return "released"; // a command that waits is found by the sweep
    if (released !== "pending") return released;
    if (leave.aborted) {
      await handOver(deps, ref, epoch);
      return "released";
    }
    if (!outdated.aborted) continue;
    await handOverLease(orgId, sessionId, epoch); // M-14: what waits is for the org's present root
    return "again";
  }
}

/** What made a turn fail may be put right at any moment, such as a removed provider: the next message is for the root that the org has by then. */
const hasFailed = ({ log }: Agent): boolean => log.last("turn/end")?.data.reason.kind === "error";

/** What a next holder would go on with by itself; nothing where a person has to answer first. */
function hasWork(agent: Agent): boolean {
  if (agent.isWaiting) return false;
  return agent.log.turn > 0 || agent.log.open.commands.size > 0 || !agent.inbox.isEmpty;
}

/** Gives the session to whoever takes the next ticket. */
async function handOver(deps: WorkerDeps, { orgId, sessionId }: SessionRef, epoch: number): Promise<void> {
  await handOverLease(orgId, sessionId, epoch);
  await sweepOrg(deps, orgId).catch((err: unknown) =>
    deps.log.warn({ err, orgId, sessionId }, "handed over without a ticket; the sweep finds it"),
  );
}
