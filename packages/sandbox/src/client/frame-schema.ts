import { z } from "zod";

import { DialFrame, TunnelFrame } from "../egress/tunnel-frames.ts";

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
  z.intersection(z.object(common), z.discriminatedUnion("t", [DialFrame, TunnelFrame])),
]);
export type FromSandboxFrame = z.infer<typeof FromSandboxSchema>;
