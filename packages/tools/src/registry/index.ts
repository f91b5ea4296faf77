import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { ToolRegistry } from "./service.ts";

export type { ApprovalOutcome, ApprovalSeam } from "./approval.ts";
export { type ErrorInfo, ToolError } from "./errors.ts";
export type { ToolFilter } from "./restriction.ts";
export { ToolRegistry } from "./service.ts";
export type * from "./types.ts";

export const name = "tools";
export const inject = ["systemPrompt"];
export const Config = z.strictObject({});

/** Provides `tools` and tells the system prompt which schemas a scope sees. */
export function apply(ctx: Context): void {
  const tools = new ToolRegistry(ctx);
  ctx.systemPrompt.tools("tools", ({ scope }) => ({ schemas: tools.schemas(scope), known: tools.knownNames(scope) }));
}
