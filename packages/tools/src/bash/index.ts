import type { Context } from "@gantry/kernel";
import { sectionOrder } from "../prompt/orders.ts";
import { toolGuidance } from "../prompt/tool-guidance.ts";
import type { BashConfig } from "./config.ts";
import { bashGuidance } from "./guidance.ts";
import { bashTool } from "./tool.ts";

export const name = "tool-bash";
export const inject = ["tools", "subprocess", "systemPrompt"];
export { Config } from "./config.ts";

export function apply(ctx: Context, config: BashConfig): void {
  ctx.tools.register(bashTool(ctx.subprocess, config));
  toolGuidance(ctx, "bash", { order: sectionOrder.shell, text: bashGuidance });
}
