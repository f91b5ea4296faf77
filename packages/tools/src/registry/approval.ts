import type { ToolAgent } from "../agent.ts";
import type { PreToolDecision, ToolExecution } from "./types.ts";

/** What a person or policy answered (APR-2). Anything else counts as unavailable. */
export type ApprovalOutcome = "allowed-once" | "rejected" | "cancelled" | "unavailable";

/** The optional service `approval`. Absent, a question denies (S-5). */
export interface ApprovalSeam {
  request(question: {
    agent: ToolAgent;
    toolName: string;
    callId: string;
    reason?: string;
    displayReason?: { readonly en: string; readonly [locale: string]: string };
    signal: AbortSignal;
  }): Promise<ApprovalOutcome>;
}

export type AskDecision = Extract<PreToolDecision, { kind: "ask" }>;

/** Takes an `ask` to the approval service. Every outcome but "allowed once" denies, each with its own reason (T-12). @throws never */
export async function resolveAsk(approval: ApprovalSeam | undefined, execution: ToolExecution, ask: AskDecision): Promise<PreToolDecision> {
  const about = ask.reason === undefined ? "" : ` (${ask.reason})`;
  const deny = (reason: string): PreToolDecision => ({ kind: "deny", reason });
  if (approval === undefined) return deny(ask.reason ?? "this call needs an approval, and no approval service is set up here");
  if (execution.agent === undefined) return deny(`this call needs an approval${about}, and only a session's agent can ask for one`);
  const outcome = await approval
    .request({
      agent: execution.agent,
      toolName: execution.name,
      callId: execution.callId,
      signal: execution.signal,
      ...(ask.reason === undefined ? {} : { reason: ask.reason }),
      ...(ask.displayReason === undefined ? {} : { displayReason: ask.displayReason }),
    })
    .catch((): ApprovalOutcome => "unavailable"); // an approver that fails must not let the call through
  if (outcome === "allowed-once") return { kind: "allow" };
  if (outcome === "cancelled") return execution.signal.aborted ? { kind: "cancel" } : deny(`the approval request was cancelled${about}`);
  if (outcome === "rejected") return deny(`the user rejected this call${about}`);
  return deny(`nobody could be asked for approval${about}`);
}
