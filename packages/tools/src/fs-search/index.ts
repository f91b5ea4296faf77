import type { Context } from "@gantry/kernel";
import { sectionOrder } from "../prompt/orders.ts";
import { toolGuidance } from "../prompt/tool-guidance.ts";
import type { SearchConfig } from "./config.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { globGuidance, grepGuidance } from "./guidance.ts";
import { spillSearch } from "./spill.ts";
import "../spill/seam.ts";

export const name = "tool-fs-search";
export const inject = ["tools", "subprocess", "systemPrompt"];
export { Config } from "./config.ts";

export function apply(ctx: Context, config: SearchConfig): void {
  ctx.tools.register(globTool(ctx.subprocess, config));
  ctx.tools.register(grepTool(ctx.subprocess, config));
  toolGuidance(ctx, "glob", { order: sectionOrder.glob, text: globGuidance });
  toolGuidance(ctx, "grep", { order: sectionOrder.grep, text: grepGuidance });
  ctx.on("tools/post-execute", async (execution, settled, next) => {
    const decision = await next();
    if (execution.name !== "glob" && execution.name !== "grep") return decision;
    return spillSearch({ execution, settled, decision }, ctx.get("spill"), config);
  });
}
