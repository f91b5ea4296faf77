import { z } from "zod";
import type { Op } from "./ops.ts";

const count = z.number().int().nonnegative();
const version = z.string().max(200);
const path = z.string().max(8192);
const outcome = z.object({ operation: z.enum(["create", "update"]), before: z.string().nullable(), version });
const captured = z.object({ text: z.string(), truncated: z.boolean(), spillPath: path.optional() });

/** The answers of sandboxd, checked by the worker: a container may be hostile. */
export const results = {
  "fs.resolve": z.object({ targetKey: path, displayPath: path }),
  "fs.stat": z.object({ type: z.enum(["file", "directory", "other"]), size: count.optional(), version }).nullable(),
  "fs.readText": z.object({ text: z.string(), size: count, version }),
  "fs.readWindow": z.object({
    lines: z.array(z.string()),
    cutLines: z.array(count),
    totalLines: count,
    cappedByBytes: z.boolean(),
    size: count,
    version,
  }),
  "fs.readBytes": z.object({ data: z.string(), size: count, version }),
  "fs.listDir": z.object({
    entries: z.array(z.object({ name: z.string(), type: z.enum(["file", "directory", "symlink", "other"]) })),
    truncated: z.boolean(),
  }),
  "fs.writeText": outcome,
  "fs.editText": outcome.extend({ after: z.string(), replacements: count }),
  "proc.run": z.object({
    exitCode: z.number().int().nullable(),
    signal: z.string().max(20).nullable(),
    timedOut: z.boolean(),
    aborted: z.boolean(),
    outOfMemory: z.boolean(),
    stdout: captured,
    stderr: captured,
  }),
  "archive.open": z.object({ importId: z.string().max(64) }),
  "archive.data": z.object({}),
  "archive.end": z.object({ entries: count, bytes: count }),
  "archive.abort": z.object({}),
  "egress.open": z.object({ port: z.int().min(1).max(65_535) }),
  ping: z.object({}),
} satisfies { [O in Op]: z.ZodType };
