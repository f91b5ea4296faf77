import type { Context } from "@gantry/kernel";
import { wasApproved } from "../registry/approval.ts";
import { errorInfo, messageOf } from "../registry/errors.ts";
import type { PreToolDecision, ToolExecution } from "../registry/types.ts";
import { type Escalation, readEscalation } from "./read-escalation.ts";

/**
 * Has calls of these tools that ask for a wider sandbox put to the user (ESC-2). The guard behind the listener is what holds: whatever another
 * listener decides, no such call runs without an approval of its own.
 */
export function askForEscalation(ctx: Context, tools: readonly string[]): void {
  const wanted = (execution: ToolExecution) => (tools.includes(execution.name) ? wantedBy(execution) : null);
  ctx.on("tools/pre-execute", async (execution, next) => {
    const decision = await next();
    const escalation = wanted(execution);
    if (!escalation || (decision.kind !== "allow" && decision.kind !== "ask")) return decision;
    if ("problem" in escalation) return refused(escalation.problem);
    const reason = `escalate sandbox to ${escalation.mode}: ${escalation.justification}`;
    const other = decision.kind === "ask" && decision.reason ? `; ${decision.reason}` : "";
    return { kind: "ask", reason: reason + other };
  });
  ctx.tools.guard((execution) => {
    const escalation = wanted(execution);
    if (!escalation) return undefined;
    // a rule outside of the listener may have had a wrong pair asked about
    if ("problem" in escalation) return messageOf(escalation.problem);
    return wasApproved(execution) ? undefined : "wider sandbox permissions need an approval of this very call";
  });
}

/** The pair's own error, so that nobody is asked about a call that could not run (ESC-1). */
function refused(problem: unknown): PreToolDecision {
  const info = errorInfo(problem);
  return { kind: "deny", reason: messageOf(problem), ...(info ? { info } : {}) };
}

function wantedBy({ arguments: args, agent }: ToolExecution): Escalation | { readonly problem: unknown } | null {
  try {
    return agent ? readEscalation(args, agent.sandboxMode()) : null;
  } catch (problem) {
    return { problem };
  }
}
