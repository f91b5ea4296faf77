import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { sectionOrder } from "../prompt/orders.ts";
import { presentationText } from "./presentation.ts";
import { ToolRegistry } from "./service.ts";

export type { ApprovalAnswer, ApprovalOutcome, ApprovalQuestion, ApprovalSeam } from "./approval.ts";
export { type ErrorInfo, ToolError } from "./errors.ts";
export { ParkedCall } from "./parked.ts";
export type { PresentationView, ToolPresentation } from "./presentation.ts";
export type { ToolFilter } from "./restriction.ts";
export { ToolRegistry } from "./service.ts";
export type * from "./types.ts";

export const name = "tools";
export const inject = ["systemPrompt"];
export const Config = z.strictObject({});

/** Provides `tools` and tells the system prompt which schemas a scope sees, and how they are to be called. */
export function apply(ctx: Context): void {
  const tools = new ToolRegistry(ctx);
  ctx.systemPrompt.tools("tools", ({ scope }) => ({ schemas: tools.offered(scope), known: tools.knownNames(scope) }));
  ctx.systemPrompt.section({
    name: "tools:presentation",
    order: sectionOrder.toolPresentation,
    text: ({ scope }) => presentationText(tools.presentation(scope)),
  });
}
