import type { ApprovalOutcome, QuestionAnswer } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";
import { argumentsOf, bindingOf } from "./prompts.ts";

/** What the row of a question says when its command is taken. */
export type AnsweredPrompt = {
  readonly state: "pending" | "answered" | "cancelled" | "expired";
  readonly binding: string;
  readonly answer:
    | { readonly kind: "approval"; readonly outcome: ApprovalOutcome }
    | { readonly kind: "question"; readonly outcome: "answered" | "dismissed"; readonly answers?: readonly QuestionAnswer[] }
    | null;
  readonly decidedBy: string | null;
};

/**
 * Logs what a person said, or that nobody did in time, and takes the step up that waited for it. A question that is not open any more is left
 * alone: its turn was stopped, or another worker has logged the answer (AG-173). To be called in the batch that consumes the command.
 */
export function applyAnswer(agent: Agent, promptId: string, prompt: AnsweredPrompt | null): void {
  const { approvals, questions } = agent.log.open;
  const isOpen = approvals.has(promptId) || questions.has(promptId);
  if (!prompt || !isOpen || (prompt.state !== "answered" && prompt.state !== "expired")) return;
  const { answer, decidedBy } = prompt;
  const by = decidedBy === null ? {} : { by: decidedBy };
  if (approvals.has(promptId)) {
    const isFor = answer?.kind === "approval" && holdsFor(agent, promptId, prompt.binding);
    agent.append({ type: "approval/decided", data: { id: promptId, outcome: isFor ? answer.outcome : "unavailable", ...by } });
  } else if (answer?.kind === "question") {
    const { outcome, answers } = answer;
    agent.append({ type: "question/answered", data: { id: promptId, outcome, ...(answers ? { answers: [...answers] } : {}), ...by } });
  } else agent.append({ type: "question/answered", data: { id: promptId, outcome: "cancelled", ...by } });
  agent.wake();
}

/** The answer is for the call as the log has it, not for whatever the row may say (SC-P2). */
function holdsFor(agent: Agent, promptId: string, binding: string): boolean {
  const asked = agent.log.last("approval/asked")?.data;
  if (asked?.id !== promptId || asked.callId === undefined) return false;
  const { sessionId } = agent;
  return bindingOf({ sessionId, toolName: asked.toolName, arguments: argumentsOf(agent.log, asked.callId) ?? "" }) === binding;
}
