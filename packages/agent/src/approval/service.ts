import { AppError } from "@gantry/contracts";
import { type Context, Service, scopeTarget } from "@gantry/kernel";
import { newId } from "@gantry/platform";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalQuestion, ApprovalSeam, ToolExecution } from "@gantry/tools";
import { Agent } from "../loop/agent.ts";
import { policyOf } from "../permissions/facts.ts";
import { argumentsOf, askedBy, bindingOf, type NewPrompt } from "../session/prompts.ts";
import type { ApprovalConfig } from "./config.ts";
import "./request.ts";

const outcomes: ReadonlySet<unknown> = new Set<ApprovalOutcome>(["allowed-once", "rejected", "cancelled", "unavailable"]);

const refusals = {
  rejected: "the user rejected this call",
  cancelled: "the approval request was cancelled",
  unavailable: "nobody could be asked for approval",
} as const;

/**
 * Kernel service `approval` (APR-1 … APR-5). A question is logged as a pair; the second half comes at once when the policy or somebody in
 * the process decides, else with a person's answer, and until then the call is parked (architecture §8).
 */
export class Approvals extends Service implements ApprovalSeam {
  private readonly own: Context;
  private readonly ttlMs: number;

  constructor(ctx: Context, { expiresAfterHours }: ApprovalConfig) {
    super(ctx, "approval");
    this.own = ctx;
    this.ttlMs = expiresAfterHours * 3_600_000;
    // policy may have changed while people thought: what they said no to stays refused (APR-3)
    ctx.tools.guard((execution) => this.refusalOf(execution));
  }

  /**
   * A call that was parked finds the answer of its own question; there is no answer that holds for another call, and a yes is for the reason that
   * was shown: where policy has another by now, people are asked again (APR-2, SC-P2).
   * @throws AppError CONFLICT outside a turn, before anything is logged; what a refused append throws (APR-4)
   */
  async request(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    const { agent, toolName, callId, reason } = question;
    if (!(agent instanceof Agent)) throw new AppError("CONFLICT", "Only a session's agent can ask for an approval.");
    const before = question.mayPark ? askedBy(agent.log, callId, "approval") : null;
    const isForAnother = before?.answer?.outcome === "allowed-once" && before.asked.reason !== reason;
    if (before && !isForAnother) return before.answer?.outcome ?? "parked";
    if (agent.log.turn === 0) throw new AppError("CONFLICT", "An approval can be asked for only while a turn runs.");
    const id = newId();
    agent.append({ type: "approval/asked", data: { id, toolName, callId, ...(reason === undefined ? {} : { reason }) } });
    const outcome = await this.decide(agent, { ...question, id });
    if (outcome === "parked") return outcome;
    // a person, or a stop, may have decided it while somebody in the process thought
    if (!agent.log.open.approvals.has(id)) return askedBy(agent.log, callId, "approval")?.answer?.outcome ?? "cancelled";
    agent.append({ type: "approval/decided", data: { id, outcome: outcome === "refused" ? "rejected" : outcome } });
    return outcome;
  }

  private async decide(agent: Agent, question: ApprovalQuestion & { readonly id: string }): Promise<ApprovalAnswer> {
    const { signal, mayPark } = question;
    if (signal.aborted) return "cancelled";
    if (policyOf(agent) === "never") return "refused";
    // with the batch of its event, so that no crash leaves a question that nobody can answer
    if (mayPark) this.put(agent, question);
    const innermost = async () => (mayPark ? ("parked" as const) : ("unavailable" as const));
    const asked = this.own.waterfall(scopeTarget(agent), "approval/request", question, innermost).then(
      (answer: unknown) => (answer === "parked" && mayPark ? answer : outcomes.has(answer) ? (answer as ApprovalOutcome) : "unavailable"),
      () => "unavailable" as const,
    );
    const stopped = Promise.withResolvers<"cancelled">();
    const stop = () => stopped.resolve("cancelled");
    signal.addEventListener("abort", stop, { once: true });
    const answer = await Promise.race([asked, stopped.promise]);
    signal.removeEventListener("abort", stop);
    return answer;
  }

  /** What was said to a call's question, where that was no yes; undefined else. */
  private refusalOf({ agent, callId, parentToken }: ToolExecution): string | undefined {
    if (!(agent instanceof Agent) || parentToken !== undefined) return undefined;
    const outcome = askedBy(agent.log, callId, "approval")?.answer?.outcome;
    return outcome && outcome !== "allowed-once" ? refusals[outcome] : undefined;
  }

  private put(agent: Agent, { id, toolName, callId, reason, displayReason }: ApprovalQuestion & { readonly id: string }): void {
    const raw = argumentsOf(agent.log, callId) ?? "";
    const prompt: NewPrompt = {
      id,
      kind: "approval",
      callId,
      toolName,
      shown: { arguments: raw, ...(reason === undefined ? {} : { reason }), ...(displayReason ? { displayReason } : {}) },
      binding: bindingOf({ sessionId: agent.sessionId, toolName, arguments: raw }),
      ttlMs: this.ttlMs,
    };
    agent.log.ask(prompt);
  }
}
