import { z } from "zod";
import { sandboxModes } from "../types.ts";
import { maxTtlMs } from "./limits.ts";

const id = z.uuid();

/** All that may be said about a new world. The container body is the broker's alone: no field of it can be sent (SC-S7). */
export const WorldRequest = z.strictObject({
  orgId: id,
  worldId: id,
  sessionId: id.nullable(),
  workspaceId: id,
  epoch: z.int().nonnegative(),
  mode: z.enum(sandboxModes),
});
export type WorldRequest = z.infer<typeof WorldRequest>;

export const RenewRequest = z.strictObject({ ttlMs: z.int().min(1000).max(maxTtlMs).optional() });
export const WorldIdPath = id;
export const AttachQuery = z.strictObject({
  epoch: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});

export const WorldView = z.object({
  worldId: id,
  orgId: id,
  sessionId: id.nullable(),
  workspaceId: id,
  mode: z.enum(sandboxModes),
  epoch: z.number(),
  state: z.enum(["starting", "running", "gone"]),
  expiresAt: z.number(),
  /** Why it is gone, in plain words. */
  problem: z.string().nullable(),
});
export type WorldView = z.infer<typeof WorldView>;

export const StatusView = z.object({
  ok: z.boolean(),
  engineVersion: z.string().nullable(),
  isolation: z.enum(["runc", "userns", "gvisor", "unknown"]),
  seccomp: z.boolean(),
  quotaEnforced: z.boolean(),
  imagePresent: z.boolean(),
  worlds: z.number(),
  problems: z.array(z.string()),
});
export const ErrorView = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
