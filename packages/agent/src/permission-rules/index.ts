import type { Context } from "@gantry/kernel";
import type { ToolExecution } from "@gantry/tools";
import type { z } from "zod";
import { Config, type Rule, ruleFor } from "./rules.ts";

export { Config };
export const name = "permission-rules";
export const inject = ["tools"];

/** What an org lets its agents call: `deny` is a guard and holds whatever listeners say, `ask` takes the call to a person (TLS-8). */
export function apply(ctx: Context, { rules }: z.infer<typeof Config>): void {
  const find = (execution: ToolExecution) =>
    ruleFor(rules, execution, ctx.tools.find(execution.name, execution.agent?.scope)?.risk ?? "execute");
  ctx.tools.guard((execution) => {
    const rule = find(execution);
    return rule?.decision === "deny" ? denial(rule) : undefined;
  });
  ctx.on("tools/pre-execute", async (execution, next) => {
    const rule = find(execution);
    // nobody is asked about a call that the guard will refuse
    if (rule?.decision === "deny") return { kind: "deny", reason: denial(rule) };
    const decision = await next();
    if (rule?.decision !== "ask" || decision.kind !== "allow") return decision;
    return { kind: "ask", reason: rule.reason ?? `a rule of this organisation asks before ${execution.name} runs` };
  });
}

const denial = ({ reason }: Rule): string => `a rule of this organisation forbids this call${reason ? `: ${reason}` : ""}`;
