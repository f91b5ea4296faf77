import type { Context } from "@gantry/kernel";
import { wasApproved } from "../registry/approval.ts";
import type { ToolExecution } from "../registry/types.ts";
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
    const reason = `escalate sandbox to ${escalation.mode}: ${escalation.justification}`;
    const other = decision.kind === "ask" && decision.reason ? `; ${decision.reason}` : "";
    return { kind: "ask", reason: reason + other };
  });
  ctx.tools.guard((execution) =>
    wanted(execution) && !wasApproved(execution) ? "wider sandbox permissions need an approval of this very call" : undefined,
  );
}

/** Null also for a pair that is wrong: the body refuses it, and nobody is asked. */
function wantedBy({ arguments: args, agent }: ToolExecution): Escalation | null {
  try {
    return agent ? readEscalation(args, agent.sandboxMode()) : null;
  } catch {
    return null; // the body says what is wrong
  }
}
