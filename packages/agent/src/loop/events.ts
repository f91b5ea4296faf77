import type { CallConfig, Message, SessionEvent } from "@gantry/contracts";
import type { Scoped } from "@gantry/kernel";
import type { Agent } from "./agent.ts";

/** What a step begins with: listeners may add, drop, reorder or replace messages, or reject the step (LOP-6). */
export type PreStep = { readonly agent: Agent; readonly turn: number; readonly step: number; readonly messages: readonly Message[] };
export type PreStepDecision = { kind: "enter"; messages: readonly Message[] } | { kind: "reject"; reason: string };

declare module "@gantry/kernel" {
  interface Events {
    /** Waterfall around the entry of a step; innermost enters with the claimed messages. */
    "agent/pre-step"(this: Scoped<Agent>, input: PreStep, next: () => Promise<PreStepDecision>): Promise<PreStepDecision>;
    /** Waterfall over the configuration of the next model request (STP-1). */
    "agent/request"(this: Scoped<Agent>, input: { readonly agent: Agent }, next: () => Promise<CallConfig>): Promise<CallConfig>;
    /** Serial, before a turn may close; a listener may steer to keep it open (LOP-3). */
    "agent/turn-stopping"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly turn: number }): Promise<void> | void;
    /** Emit: an event was appended. Observers may not append from inside (AG-006). */
    "session/event"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly event: SessionEvent }): void;
    /** Emit: the public status changed (PHA-6). */
    "agent/status"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly status: "idle" | "running" }): void;
  }
}
