import type { CallConfig, LlmFailure, Message, SessionEvent } from "@gantry/contracts";
import type { Scoped } from "@gantry/kernel";
import type { Agent } from "./agent.ts";

/** What a step begins with: listeners may add, drop, reorder or replace messages, or reject the step (LOP-6). */
export type PreStep = {
  readonly agent: Agent;
  readonly turn: number;
  readonly step: number;
  readonly messages: readonly Message[];
  /** aborts when the turn is cancelled; a listener that waits listens to it */
  readonly signal: AbortSignal;
};
export type PreStepDecision = { kind: "enter"; messages: readonly Message[] } | { kind: "reject"; reason: string };

/** How a session came to its agent, or that its history was just replaced by a summary. */
export type SessionStartSource = "startup" | "resume" | "clear" | "compact";
type InboxEvent = { readonly agent: Agent; readonly message: Message };
type TurnError = { readonly agent: Agent; readonly turn: number; readonly step: number; readonly error: LlmFailure };

/** Whether a step will follow: a turn that has nothing to begin with ends without one, a later step owes the model its results (LOP-1). */
export const isEntered = ({ step }: PreStep, decision: PreStepDecision): decision is Extract<PreStepDecision, { kind: "enter" }> =>
  decision.kind === "enter" && (step > 1 || decision.messages.length > 0);

declare module "@gantry/kernel" {
  interface Events {
    /** Waterfall around the entry of a step; innermost enters with the claimed messages. Listeners decide after `await next()` (LOP-7). */
    "agent/pre-step"(this: Scoped<Agent>, input: PreStep, next: () => Promise<PreStepDecision>): Promise<PreStepDecision>;
    /** Waterfall over the configuration of the next model request (STP-1). */
    "agent/request"(this: Scoped<Agent>, input: { readonly agent: Agent }, next: () => Promise<CallConfig>): Promise<CallConfig>;
    /** Serial, before a turn may close; a listener may steer to keep it open (LOP-3). */
    "agent/turn-stopping"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly turn: number }): Promise<void> | void;
    /** Emit: an event was appended. Observers may not append from inside (AG-006). */
    "session/event"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly event: SessionEvent }): void;
    /** Emit: the public status changed (PHA-6). */
    "agent/status"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly status: "idle" | "running" }): void;
    /** Emit: the agent is there (AGT-2), or begins anew after a compaction. */
    "agent/session-start"(this: Scoped<Agent>, input: { readonly agent: Agent; readonly source: SessionStartSource }): void;
    /** Emit: a turn ended with an error, after its end was logged (LOP-5). */
    "agent/error"(this: Scoped<Agent>, input: TurnError): void;
    /** Emit, one message each, after the splice was logged (INB-3, INB-4). */
    "agent/inbox/inserted"(this: Scoped<Agent>, input: InboxEvent): void;
    "agent/inbox/claimed"(this: Scoped<Agent>, input: InboxEvent & { readonly turn: number }): void;
    "agent/inbox/discarded"(this: Scoped<Agent>, input: InboxEvent): void;
  }
}
