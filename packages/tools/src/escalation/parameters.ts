import { z } from "zod";

/** Offered where somebody can be asked; in pairs (ESC-1). */
export const escalationParameters = {
  sandbox_permissions: z
    .enum(["workspace-write", "danger-full-access"])
    .optional()
    .describe("Wider permissions for this one call. The user is asked. Only after the sandbox denied what the work needs."),
  justification: z
    .string()
    .optional()
    .describe("Why this call needs them, in one sentence for the user. Required with sandbox_permissions, and only valid with it."),
};
