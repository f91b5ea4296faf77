import { z } from "zod";

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
  const wanted = include?.map(matcher);
  const left = exclude.map(matcher);
  return (name) => (wanted?.some((matches) => matches(name)) ?? true) && !left.some((matches) => matches(name));
}

function matcher(pattern: string): (name: string) => boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${source.join(".*")}$`);
  return (name) => whole.test(name);
}
