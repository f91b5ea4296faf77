import type { Json } from "@gantry/contracts";
import type { ToolAgent } from "../agent.ts";
import type { PreToolDecision, ToolExecution } from "./types.ts";

/** What a person or policy answered (APR-2). Anything else counts as unavailable. */
export type ApprovalOutcome = "allowed-once" | "rejected" | "cancelled" | "unavailable";

/**
 * An outcome, or: `refused` when the session's policy lets nobody be asked; `parked` when a person has been asked, so that the call is
 * left where it stands and prepared again once the answer is logged.
 */
export type ApprovalAnswer = ApprovalOutcome | "refused" | "parked";

export type ApprovalQuestion = {
  readonly agent: ToolAgent;
  readonly toolName: string;
  readonly callId: string;
  readonly arguments: Json;
  readonly reason?: string;
  readonly displayReason?: { readonly en: string; readonly [locale: string]: string };
  readonly signal: AbortSignal;
  /** Whether the call may be left unfinished; a call from inside a program may not. */
  readonly mayPark: boolean;
};

/** The optional service `approval`. Absent, a question denies (S-5). */
export interface ApprovalSeam {
  request(question: ApprovalQuestion): Promise<ApprovalAnswer>;
}

const approved = new WeakSet<ToolExecution>();
/** Whether somebody allowed this very execution. */
export const wasApproved = (execution: ToolExecution): boolean => approved.has(execution);

export type AskDecision = Extract<PreToolDecision, { kind: "ask" }>;

/**
 * Takes an `ask` to the approval service. Every outcome but "allowed once" denies, each with its own reason (T-12), and `parked` decides
 * nothing yet. @throws never
 */
export async function resolveAsk(
  approval: ApprovalSeam | undefined,
  execution: ToolExecution,
  ask: AskDecision,
): Promise<PreToolDecision | "parked"> {
  const about = ask.reason === undefined ? "" : ` (${ask.reason})`;
  const deny = (reason: string): PreToolDecision => ({ kind: "deny", reason });
  if (approval === undefined) return deny(ask.reason ?? "this call needs an approval, and no approval service is set up here");
  if (execution.agent === undefined) return deny(`this call needs an approval${about}, and only a session's agent can ask for one`);
  const outcome = await approval
    .request({
      agent: execution.agent,
      toolName: execution.name,
      callId: execution.callId,
      arguments: execution.arguments,
      signal: execution.signal,
      mayPark: execution.parentToken === undefined,
      ...(ask.reason === undefined ? {} : { reason: ask.reason }),
      ...(ask.displayReason === undefined ? {} : { displayReason: ask.displayReason }),
    })
    // an approver that fails must not let the call through; one that was stopped with the caller has not failed
    .catch((): ApprovalAnswer => (execution.signal.aborted ? "cancelled" : "unavailable"));
  if (outcome === "parked") return outcome;
  if (outcome === "allowed-once") {
    approved.add(execution);
    return { kind: "allow" };
  }
  if (outcome === "cancelled") return execution.signal.aborted ? { kind: "cancel" } : deny(`the approval request was cancelled${about}`);
  if (outcome === "refused") return deny(`this session asks nobody for approval, by its own policy; the call was refused${about}`);
  if (outcome === "rejected") return deny(`the user rejected this call${about}`);
  return deny(`nobody could be asked for approval${about}`);
}
