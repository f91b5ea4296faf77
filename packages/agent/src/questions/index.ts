import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { UserQuestions } from "./service.ts";

export const name = "user-questions";
export const inject = ["agents"];
export const Config = z.strictObject({
  /** How long people have to answer, in hours. */
  expiresAfterHours: z.number().int().positive().max(2_160).default(168),
  /** Nobody looks at these sessions: a question fails at once instead of waiting. */
  headless: z.boolean().default(false),
});

/** Provides `userQuestions`. */
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  new UserQuestions(ctx, config);
}
