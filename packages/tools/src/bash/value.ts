import { z } from "zod";

const stream = z.object({ text: z.string(), truncated: z.boolean(), spillPath: z.string().optional() });

const foreground = z.object({
  kind: z.literal("foreground"),
  exitCode: z.union([z.number(), z.null()]),
  signal: z.union([z.string(), z.null()]),
  timedOut: z.boolean(),
  aborted: z.boolean(),
  /** The memory limit killed something while the command ran. */
  outOfMemory: z.boolean().optional(),
  /** The effective timeout, after default and cap. */
  timeoutMs: z.number(),
  stdout: stream,
  stderr: stream,
  sandbox: z.object({ mode: z.string(), denied: z.boolean() }).optional(),
});

const background = z.object({ kind: z.literal("background"), jobId: z.string() });

/** What a bash call came to: data for programs; the text is made from it. */
export const BashValue = z.discriminatedUnion("kind", [foreground, background]);
export type BashValue = z.infer<typeof BashValue>;
export type ForegroundValue = z.infer<typeof foreground>;
