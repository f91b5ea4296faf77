import { type Context, declareScopedEvent } from "@gantry/kernel";
import { contextOrder } from "@gantry/tools";
import { Agent } from "../loop/agent.ts";
import { policyOf } from "../permissions/facts.ts";
import type { ApprovalConfig } from "./config.ts";
import { Approvals } from "./service.ts";

export { Config } from "./config.ts";
export const name = "approval";
export const inject = ["systemPrompt", "tools"];

const facts = {
  ask: "Approvals: a call that needs a permission asks the user and goes on when they allow it. Each answer holds for one call.",
  never: "Approvals: nobody is asked. A call that would need a permission is refused at once; do not retry it, say what was not possible.",
} as const;

/** Provides `approval`, and tells the model whether people are asked (CTX-1). */
export function apply(ctx: Context, config: ApprovalConfig): void {
  new Approvals(ctx, config);
  declareScopedEvent(ctx, "approval/request", ({ agent }) => agent);
  const text = ({ scope }: { scope?: object }) => (scope instanceof Agent ? facts[policyOf(scope)] : "");
  ctx.systemPrompt.context({ name: "approval:policy", order: contextOrder.approvalPolicy, text });
}
