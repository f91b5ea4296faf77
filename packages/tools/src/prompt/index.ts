import type { Context, Scoped } from "@gantry/kernel";
import { z } from "zod";
import { identityText } from "./identity.ts";
import { sectionOrder } from "./orders.ts";
import { SystemPrompt } from "./service.ts";
import { checkToolOrder, unlistedTools } from "./tool-order.ts";
import type { Assembly, AssemblyRequest } from "./types.ts";

export { contextOrder, sectionOrder } from "./orders.ts";
export type { SystemPrompt } from "./service.ts";
export type * from "./types.ts";

declare module "@gantry/kernel" {
  interface Context {
    systemPrompt: SystemPrompt;
  }
  interface Events {
    /** Wraps the assembly of one step's prompt, at every step; a listener returns it, changed or not (SYS-2). @mode waterfall */
    "system-prompt/assemble"(this: Scoped, request: AssemblyRequest, next: () => Promise<Assembly>): Promise<Assembly>;
    /** Something a cached prompt was made of has changed. @mode emit */
    "system-prompt/change"(): void;
  }
}

export const name = "system-prompt";
export const inject: string[] = [];
export const Config = z.strictObject({
  personaPrefix: z.string().default(""),
  personaSuffix: z.string().default(""),
  includeHarnessIdentity: z.boolean().default(true),
  includeRuntimeContext: z.boolean().default(true),
  toolOrder: z.array(z.string()).default([unlistedTools]),
});

/** Provides `systemPrompt` with the sections every composition has: identity and the two persona slots (SYS-6, P-3). */
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  checkToolOrder(config.toolOrder);
  const systemPrompt = new SystemPrompt(ctx, { toolOrder: config.toolOrder });
  if (config.includeHarnessIdentity) {
    systemPrompt.section({ name: "harness:identity", order: sectionOrder.identity, text: identityText });
  }
  systemPrompt.section({ name: "deployment:persona-prefix", order: sectionOrder.personaPrefix, text: config.personaPrefix });
  systemPrompt.section({ name: "deployment:persona-suffix", order: sectionOrder.personaSuffix, text: config.personaSuffix });
  if (!config.includeRuntimeContext) systemPrompt.suppressRuntimeContext();
}
