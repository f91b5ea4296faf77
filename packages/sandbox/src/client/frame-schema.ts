import { z } from "zod";

const n = z.int().nonnegative();
const common = { c: z.string().max(64), n };

/** Lines of sandboxd as the worker accepts them. */
export const FromSandboxSchema = z.union([
  z.object({ t: z.literal("res"), ...common, id: n, ok: z.literal(true), r: z.unknown() }),
  z.object({
    t: z.literal("res"),
    ...common,
    id: n,
    ok: z.literal(false),
    e: z.object({ code: z.string().max(64), message: z.string().max(20_000) }),
  }),
  z.object({ t: z.literal("out"), ...common, id: n, s: z.enum(["stdout", "stderr"]), d: z.string(), lost: n }),
  z.object({ t: z.literal("part"), ...common, id: n, d: z.string(), last: z.boolean() }),
  z.object({ t: z.literal("hello"), ...common, previous: z.int().min(-1) }),
  z.object({ t: z.literal("fenced"), ...common }),
]);
export type FromSandboxFrame = z.infer<typeof FromSandboxSchema>;
