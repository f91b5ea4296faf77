import { z } from "zod";

/** What a session may touch: mounts and network, not promises. Wider modes come later in the list (PRM-1). */
export const SandboxModeName = z.enum(["read-only", "workspace-write", "danger-full-access"]);
export type SandboxModeName = z.infer<typeof SandboxModeName>;
/** Whether a call that needs a person asks one, or is refused at once (PRM-1). */
export const ApprovalPolicy = z.enum(["ask", "never"]);
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;
/** What became of a question for permission (APR-2). Only the first lets the call run. */
export const ApprovalOutcome = z.enum(["allowed-once", "rejected", "cancelled", "unavailable"]);
export type ApprovalOutcome = z.infer<typeof ApprovalOutcome>;

/** One question to a person, with the options it offers (ASK-1). */
export const Question = z.strictObject({
  id: z.string().min(1),
  header: z.string(),
  question: z.string(),
  detail: z.string().optional(),
  options: z.array(z.strictObject({ label: z.string(), description: z.string().optional() })),
  multiSelect: z.boolean().optional(),
});
export type Question = z.infer<typeof Question>;
export const QuestionAnswer = z.strictObject({ id: z.string().min(1), selected: z.array(z.string()), custom: z.string().optional() });
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;
