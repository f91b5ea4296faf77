import { z } from "zod";
import { maxTimerMs } from "../max-timer.ts";

export const Config = z
  .strictObject({
    /** Whether an over-long glob result shows a sample over the top-level entries instead of its head. No default: the choice changes what the model is told. */
    sampleOverCapGlobResults: z.boolean(),
    /** Declared budget of each call, enforced by the timeout policy. */
    timeoutMs: z.number().int().positive().default(30_000),
    /** Between SIGTERM and SIGKILL. */
    graceMs: z.number().int().nonnegative().default(3_000),
    /** ripgrep inside the world. */
    rgPath: z.string().startsWith("/").default("/opt/gantry/rg"),
    maxPaths: z.number().int().positive().default(100),
    maxMatches: z.number().int().positive().default(250),
    /** Bytes of raw ripgrep output; more is refused, never parsed in part. */
    maxRawBytes: z.number().int().positive().default(20_000_000),
  })
  .refine((config) => config.timeoutMs + config.graceMs <= maxTimerMs, { message: `timeoutMs + graceMs must not exceed ${maxTimerMs}` });
export type SearchConfig = z.infer<typeof Config>;
