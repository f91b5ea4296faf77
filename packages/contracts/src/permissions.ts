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

/** A named pair that a session may be put on (PRM-2). */
export const PermissionPreset = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  mode: SandboxModeName,
  policy: ApprovalPolicy,
});
export type PermissionPreset = z.infer<typeof PermissionPreset>;
/** The presets that ship, in the order in which they are looked up. */
export const permissionPresets: readonly PermissionPreset[] = [
  { name: "read-only", mode: "read-only", policy: "ask" },
  { name: "workspace-write", mode: "workspace-write", policy: "ask" },
  { name: "danger-full-access", mode: "danger-full-access", policy: "never" },
];
/**
 * Why a table of permission presets cannot be used: a name that means "none of these", one that is there twice, or one that ships and would mean something
 * else, so that who chooses "workspace-write" would get more than it says (PRM-2). Empty when it can.
 */
export function permissionTableProblems(table: readonly PermissionPreset[]): string[] {
  return table.flatMap(({ name, mode, policy }, index) => {
    if (name === "custom") return ['"custom" is what a session is called whose permissions match no preset; choose another name'];
    if (table.findIndex((one) => one.name === name) < index) return [`the permission preset "${name}" is there twice`];
    const shipped = permissionPresets.find((one) => one.name === name);
    if (!shipped || (shipped.mode === mode && shipped.policy === policy)) return [];
    return [`"${name}" always means mode ${shipped.mode} and policy ${shipped.policy}; choose another name for other permissions`];
  });
}

/** Where nobody set another default (PRM-1). */
export const defaultPermission = "workspace-write";

/** Whether a mode lets a session touch more than another one does. */
export function isWider(mode: SandboxModeName, than: SandboxModeName): boolean {
  return SandboxModeName.options.indexOf(mode) > SandboxModeName.options.indexOf(than);
}

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
