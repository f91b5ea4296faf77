import { type Context, declareScopedEvent } from "@gantry/kernel";
import { z } from "zod";
import type { AgentRequest } from "../agents/index.ts";
import "../settings/index.ts";
import { Agent, type AgentOptions, type Tuning } from "./agent.ts";
import "./events.ts";

export const name = "agent-loop";
// what the loop and everything registered through an agent's scope need (K-25)
export const inject = ["agents", "llm", "tools", "systemPrompt", "settings"];
export const Config = z.strictObject({
  /** Tool bodies of one batch that may overlap; 1 runs them one by one (BAT-2). */
  maxParallelToolCalls: z.number().int().positive().default(10),
});

type LoopRequest = AgentRequest & { readonly options: AgentOptions };

type Membership = { join(ctx: Context, signal: AbortSignal): Promise<void>; leave(agent: object): Promise<void> };

/** The request for a session's agent. It joins its preset in its setup (A-4, G-13), and leaves when its scope is undone (G-16). */
export function agentRequest(options: AgentOptions, { join, leave }: Membership): AgentRequest {
  const setup: AgentRequest["setup"] = async (ctx, { agent, signal }) => {
    (agent as Agent).bind(ctx);
    await join(ctx, signal);
  };
  return { sessionId: options.sessionId, setup, ended: leave, options } as AgentRequest;
}

/** Fills the factory slot: the one loop of a root. The org's setting `agent-loop` goes over the row. Gives prompts the variables `provider`, `model` and `cwd` (SYS-5). */
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  const tuned = ctx.settings.register<Tuning>(name, { base: config });
  declareScopedEvent(ctx, "agent/pre-step", ({ agent }) => agent);
  declareScopedEvent(ctx, "agent/request", ({ agent }) => agent);
  declareScopedEvent(ctx, "agent/turn-stopping", ({ agent }) => agent);
  declareScopedEvent(ctx, "agent/status", ({ agent }) => agent);
  declareScopedEvent(ctx, "session/event", ({ agent }) => agent);
  declareScopedEvent(ctx, "agent/session-start", ({ agent }) => agent);
  declareScopedEvent(ctx, "agent/error", ({ agent }) => agent);
  declareScopedEvent(ctx, "agent/request-error", ({ agent }) => agent);
  for (const change of ["inserted", "claimed", "discarded"] as const)
    declareScopedEvent(ctx, `agent/inbox/${change}`, ({ agent }) => agent);
  const ofAgent = (read: (agent: Agent) => string) => (request: { scope?: object }) =>
    request.scope instanceof Agent ? read(request.scope) : undefined;
  ctx.systemPrompt.variable(
    "provider",
    ofAgent((agent) => agent.route.provider),
  );
  ctx.systemPrompt.variable(
    "model",
    ofAgent((agent) => agent.route.model),
  );
  ctx.systemPrompt.variable(
    "cwd",
    ofAgent((agent) => agent.cwd),
  );
  const build = (request: AgentRequest) => new Agent((request as LoopRequest).options, tuned);
  ctx.agents.setFactory({ create: build, resume: build });
}
