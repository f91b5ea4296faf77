import { appendFileSync } from "node:fs";
import type { AgentOptions } from "@gantry/agent";
import { type EventType, isAppError, type SessionEvent } from "@gantry/contracts";
import { appendEvents, withOrg } from "@gantry/db";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import type { OrgRoots } from "../../src/roots/org-roots.ts";

/**
 * Where a worker dies: right after the `nth` event of a type is durable, with nothing after it. `dispatched`: after the barrier in front of
 * a tool body instead, everything up to there being durable.
 */
export type KillPoint = { readonly type: EventType | "dispatched"; readonly nth: number; readonly has?: string };
export type CrashOptions = {
  /** file that the bodies of the fixture tools write to: one line a run */
  readonly effects: string;
  /** of that session only: a worker may be handed others too */
  readonly killAt?: KillPoint & { readonly sessionId: string };
  /** a broken build: writes are not fenced by epoch and position */
  readonly isUnfenced?: boolean;
};
type Batch = Parameters<AgentOptions["write"]>[0];

/** Makes roots whose agents have fixture tools and, where asked, a death at a point of the log. Everything else of the worker is as it is. */
export function instrument(roots: Pick<OrgRoots, "use">, options: CrashOptions): void {
  const { use } = roots;
  roots.use = async function (this: OrgRoots, ...args) {
    const used = await use.apply(this, args);
    return {
      ...used,
      async createAgent(given, preset) {
        const { killAt } = options;
        const fencedOrNot = options.isUnfenced ? unfenced(given) : given.write;
        const write = killAt?.sessionId === given.sessionId ? dyingAt(killAt, given, fencedOrNot) : fencedOrNot;
        const agent = await used.createAgent({ ...given, write }, preset);
        const run = (callId: string) => appendFileSync(options.effects, `${given.sessionId} ${callId}\n`);
        agent.ctx.tools.register(effectTool("effect", run));
        agent.ctx.tools.register(effectTool("repeatable", run));
        return agent;
      },
    };
  };
}

/** A body whose every run can be seen from outside. */
function effectTool(name: "effect" | "repeatable", run: (callId: string) => void) {
  return defineTool({
    name,
    description: "leaves a line",
    parameters: z.object({ waitMs: z.number().optional(), dies: z.boolean().optional() }),
    output: z.object({ text: z.string() }),
    ...(name === "repeatable" ? { recovery: "idempotent" as const } : {}),
    async execute({ waitMs = 0, dies = false }, { execution }) {
      run(execution.callId);
      if (dies) die();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return { text: `ran ${execution.callId}` };
    },
    render: ({ text }) => text,
  });
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function dyingAt(point: KillPoint, { events }: AgentOptions, write: AgentOptions["write"]): AgentOptions["write"] {
  const isPoint = (event: SessionEvent) => event.type === point.type && (!point.has || JSON.stringify(event.data).includes(point.has));
  let left = point.nth - (point.type === "session/end-seed" ? 0 : events.filter(isPoint).length);
  return async (batch) => {
    if (left <= 0) return write(batch);
    if (point.type === "dispatched") {
      await write(batch);
      left -= batch.ledger.dispatched.length;
      if (left <= 0) die();
      return;
    }
    const at = batch.events.findIndex((event) => isPoint(event) && --left === 0);
    if (at < 0) return write(batch);
    await write(cut(batch, at + 1));
    die();
  };
}

/** The batch as it would be if the worker had stopped appending there, before it came to any barrier. */
function cut(batch: Batch, length: number): Batch {
  const ledger = { dispatched: [], finished: batch.ledger.finished };
  const isWhole = length === batch.events.length;
  return { ...batch, events: batch.events.slice(0, length), patch: isWhole ? batch.patch : {}, ledger };
}

/** Appends at whatever position the log has, under whatever epoch: what every write is protected from. */
function unfenced({ orgId, sessionId }: AgentOptions): AgentOptions["write"] {
  return async (batch) => {
    for (;;) {
      const row = await withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } } }));
      const nextSeq = row.nextSeq;
      const events = batch.events.map((event, index) => ({ ...event, seq: nextSeq + index }));
      try {
        return await appendEvents(orgId, sessionId, { ...batch, epoch: row.leaseEpoch, nextSeq, events });
      } catch (error) {
        if (!isAppError(error, "LEASE_LOST")) throw error;
      }
    }
  };
}
