import type { Context } from "@gantry/kernel";
import { z } from "zod";
import "../attachments/seam.ts";
import { askForEscalation } from "../escalation/policy.ts";
import { sectionOrder } from "../prompt/orders.ts";
import { toolGuidance } from "../prompt/tool-guidance.ts";
import { editTool } from "./edit.ts";
import "./events.ts";
import { editGuidance, readGuidance, writeGuidance } from "./guidance.ts";
import { observedThrough } from "./observed.ts";
import { readTool } from "./read.ts";
import { readImageTool } from "./read-image.ts";
import { writeTool } from "./write.ts";

export const name = "tool-fs";
export const inject = ["tools", "fs", "systemPrompt"];
export const Config = z.strictObject({
  read: z.boolean().default(true),
  write: z.boolean().default(true),
  edit: z.boolean().default(true),
  readImage: z.boolean().default(true),
});

export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  const { fs, tools } = ctx;
  const observed = observedThrough(ctx);
  // where nobody can be asked there is nothing to offer
  const escalates = ctx.get("approval") !== undefined;
  if (escalates) askForEscalation(ctx, ["write", "edit"]);
  if (config.read) {
    tools.register(readTool(fs, observed));
    toolGuidance(ctx, "read", { order: sectionOrder.read, text: readGuidance });
  }
  if (config.write) {
    tools.register(writeTool(fs, observed, { escalates }));
    toolGuidance(ctx, "write", { order: sectionOrder.write, text: writeGuidance });
  }
  if (config.edit) {
    tools.register(editTool(fs, observed, { escalates }));
    toolGuidance(ctx, "edit", { order: sectionOrder.edit, text: editGuidance });
  }
  const attachments = ctx.get("attachments");
  if (config.readImage && attachments) tools.register(readImageTool(fs, attachments, observed));
}
