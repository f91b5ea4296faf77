/** @throws Error naming a blank argument */
export function requireText(name: string, value: string): void {
  if (value.trim() === "") throw new Error(`${name} must not be blank`);
}

/** Refuses the sandbox parameters where they are not offered, also when a model sends them anyway (EX-169). @throws Error */
export function refuseEscalation(args: object): void {
  if (Object.hasOwn(args, "sandbox_permissions")) throw new Error("sandbox_permissions is not available in this composition");
  if (Object.hasOwn(args, "justification")) throw new Error("justification is only valid together with sandbox_permissions");
}
