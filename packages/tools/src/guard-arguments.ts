import type { Json } from "@gantry/contracts";
import type { SandboxMode } from "@gantry/sandbox/seams";
import { type Escalation, readEscalation } from "./escalation/read-escalation.ts";

/** @throws Error naming a blank argument */
export function requireText(name: string, value: string): void {
  if (value.trim() === "") throw new Error(`${name} must not be blank`);
}

/** What a call asks for where wider permissions are offered; else a refusal of the parameters (EX-169). @throws Error, as `readEscalation` */
export function escalationOf(args: object, { isOffered, mode }: { isOffered: boolean; mode: SandboxMode }): Escalation | null {
  if (isOffered) return readEscalation(args as Json, mode);
  refuseEscalation(args);
  return null;
}

/** Refuses the sandbox parameters where they are not offered, also when a model sends them anyway (EX-169). @throws Error */
function refuseEscalation(args: object): void {
  if (Object.hasOwn(args, "sandbox_permissions")) throw new Error("sandbox_permissions is not available in this composition");
  if (Object.hasOwn(args, "justification")) throw new Error("justification is only valid together with sandbox_permissions");
}
