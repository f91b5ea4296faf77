import { z } from "zod";
import { matchesPattern } from "../matches-pattern.ts";

const Threshold = z.number().int().min(2);

export const Config = z.strictObject({
  /** Run lengths at which the agent is told; the first time gently, later in detail. */
  thresholds: z
    .array(Threshold)
    .min(1)
    .refine((list) => new Set(list).size === list.length, "must not repeat a number")
    .default([3, 5, 8]),
  argumentsPreviewChars: z.number().int().positive().default(500),
  /** Names of tools to watch, with `*` for any text; absent: all. */
  include: z.array(z.string().min(1)).optional(),
  /** Names of tools that neither count nor interrupt a run. */
  exclude: z.array(z.string().min(1)).default([]),
});
export type ReminderConfig = z.infer<typeof Config>;

/** Whether a tool is watched. Only `*` has a meaning in a pattern. */
export function tracks({ include, exclude }: ReminderConfig): (name: string) => boolean {
  const fits = (name: string) => (pattern: string) => matchesPattern(name, pattern);
  return (name) => (include?.some(fits(name)) ?? true) && !exclude.some(fits(name));
}
