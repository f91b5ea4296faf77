import type { Context, Scoped } from "@gantry/kernel";
import type { Agents } from "./agents.ts";

/** What the registry knows of a live agent; the object is its own scope key (C-1). The loop's agent adds the rest. */
export interface LiveAgent {
  readonly sessionId: string;
  /** Called last in the creation. A failure takes the creation back. */
  start?(): void | Promise<void>;
  /** Called first in the disposal, while everything the agent registered still stands. Waits until its work has stopped. */
  stop?(): void | Promise<void>;
}

export interface AgentRequest<A extends LiveAgent = LiveAgent> {
  readonly sessionId: string;
  /** The scope above the agent's: a preset generation, or a parent agent. */
  readonly parentScope?: object;
  /** Registers what only this agent has, and is the only place to join a preset. Aborted when the owner or the loop goes. */
  setup?(ctx: Context, options: { agent: A; signal: AbortSignal }): void | Promise<void>;
  /** The last thing that can refuse, right before the agent becomes visible. */
  commit?(agent: A): void;
  /** Called once when the agent's scope is undone, also that of a creation that was taken back. The disposal waits for it. */
  ended?(agent: A): void | Promise<void>;
}

/** The loop plugin's part: builds the agent object and leaves no trace, for the creation can still be refused. */
export interface AgentFactory {
  create(request: AgentRequest, owner: Context): LiveAgent | Promise<LiveAgent>;
  resume(request: AgentRequest, owner: Context): LiveAgent | Promise<LiveAgent>;
}

declare module "@gantry/kernel" {
  interface Context {
    agents: Agents;
  }
  interface Events {
    /** parallel, scope-filtered by the agent. A listener that fails takes the creation back; `agents/disposed` follows. */
    "agents/created"(this: Scoped<LiveAgent>, agent: LiveAgent): void | Promise<void>;
    /** emit, scope-filtered by the agent. Once for each announced creation, before the agent's registrations are undone. */
    "agents/disposed"(this: Scoped<LiveAgent>, agent: LiveAgent): void;
  }
}
