import type { Context } from "@gantry/kernel";
import { sectionOrder } from "@gantry/tools";
import { z } from "zod";

/** Who the agent is in its scope (PER-1); shadows the deployment's persona, and empty text removes it. */
export const name = "persona";
export const inject = ["systemPrompt"];
export const Config = z.strictObject({
  prefix: z.string(),
  complete: z.boolean().default(false),
  includeRuntimeContext: z.boolean().default(true),
});

export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  ctx.systemPrompt.section({
    name: "deployment:persona-prefix",
    order: sectionOrder.personaPrefix,
    text: config.prefix,
    complete: config.complete,
  });
  if (!config.includeRuntimeContext) ctx.systemPrompt.suppressRuntimeContext();
}
