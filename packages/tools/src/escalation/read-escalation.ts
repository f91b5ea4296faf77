import { isWider, type Json, type SandboxModeName } from "@gantry/contracts";
import { ToolError } from "../registry/errors.ts";

export type Escalation = { readonly mode: SandboxModeName; readonly justification: string };

/**
 * The wider permissions that a call asks for, or null. @throws Error with its own text for each way in which the pair is wrong, before anybody is
 * asked (ESC-1)
 */
export function readEscalation(args: Json, current: SandboxModeName): Escalation | null {
  const { sandbox_permissions: mode, justification } = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  if (mode === undefined) {
    if (justification !== undefined) throw new Error("justification is only valid together with sandbox_permissions");
    return null;
  }
  if (mode !== "workspace-write" && mode !== "danger-full-access") throw invalidMode();
  if (justification === undefined) throw new Error("sandbox_permissions needs a justification for the user");
  if (typeof justification !== "string" || justification.trim() === "") throw new Error("justification must not be blank");
  if (!isWider(mode, current))
    throw new Error(`sandbox_permissions must be wider than the session's mode, which is ${current}; leave it out for this call`);
  return { mode, justification: justification.trim() };
}

const invalidMode = () => new ToolError("INVALID_ARGS", "sandbox_permissions names no sandbox mode", { name: "ToolArgsError" });
