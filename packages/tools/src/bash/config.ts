import { z } from "zod";
import { maxTimerMs } from "../max-timer.ts";

const ms = z.number().int().positive().max(maxTimerMs);

export const Config = z.strictObject({
  /** Used when a call names no timeout. */
  timeoutMs: ms.default(60_000),
  /** Larger requests are clamped to this, never refused. */
  maxTimeoutMs: ms.default(600_000),
  /** Between SIGTERM and SIGKILL, and how long a descendant may hold the output open. */
  graceMs: ms.default(3_000),
  /** Bytes of each stream kept in the result: its exact tail. */
  maxOutputBytes: z.number().int().positive().default(64_000),
  /** Bytes of the file with a stream's full output; a larger output has no file. */
  maxSpillBytes: z
    .number()
    .int()
    .positive()
    .default(64 * 1024 * 1024),
  /** `DSH_HOME`: a directory inside the container. */
  home: z.string().startsWith("/").default("/home/agent"),
  enableRunInBackground: z.boolean().default(false),
});
export type BashConfig = z.infer<typeof Config>;
