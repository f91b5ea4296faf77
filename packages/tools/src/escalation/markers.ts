/** The model keys on these (tools §4.3, ESC-3): the sandbox denied, by policy and not by fault, and there is a way to ask. */
export const deniedMarker = (mode: string): string => `[sandbox: file access denied under ${mode} mode]`;
export const escalationHint = (what: "command" | "operation"): string =>
  `[sandbox: escalation available: repeat this exact ${what} once with sandbox_permissions and justification; the user will be asked]`;
