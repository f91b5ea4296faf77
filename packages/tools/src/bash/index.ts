import type { Context } from "@gantry/kernel";
import { askForEscalation } from "../escalation/policy.ts";
import { sectionOrder } from "../prompt/orders.ts";
import { toolGuidance } from "../prompt/tool-guidance.ts";
import type { BashConfig } from "./config.ts";
import { bashGuidance } from "./guidance.ts";
import { bashTool } from "./tool.ts";

export const name = "tool-bash";
export const inject = ["tools", "subprocess", "systemPrompt"];
export { Config } from "./config.ts";

export function apply(ctx: Context, config: BashConfig): void {
  // where nobody can be asked there is nothing to offer
  const escalates = ctx.get("approval") !== undefined;
  if (escalates) askForEscalation(ctx, ["bash"]);
  ctx.tools.register(bashTool(ctx.subprocess, config, { escalates }));
  toolGuidance(ctx, "bash", { order: sectionOrder.shell, text: bashGuidance });
}
