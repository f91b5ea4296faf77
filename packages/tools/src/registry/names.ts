/** Names that no plugin may register, shadow or restrict (T-2, TLS-5). */
export const reservedNames: ReadonlySet<string> = new Set(["run_code"]);

/** @throws TypeError for a name that is not reserved for transports */
export function assertTransportName(name: string): void {
  if (!reservedNames.has(name))
    throw new TypeError(`"${name}" is no transport: only ${[...reservedNames].join(", ")} may stand for all tools`);
}

/** @throws TypeError for a name no model API takes, or a reserved one */
export function assertToolName(name: string): void {
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new TypeError(`"${String(name)}" is no tool name: use 1 to 64 letters, digits, "_" or "-"`);
  if (reservedNames.has(name)) throw new TypeError(`the tool name "${name}" is reserved`);
}
