import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { askUserTool } from "./tool.ts";

export const name = "tool-ask-user";
export const inject = ["tools", "userQuestions"];
export const Config = z.strictObject({});

export function apply(ctx: Context): void {
  ctx.tools.register(askUserTool(ctx.userQuestions));
}
