/**
 * Places in the system prompt, lower first (SYS-7). A section that shadows another takes the same constant and so the same slot.
 * Persona sections are the only ones that org content may shadow (P-9).
 */
export const sectionOrder = {
  identity: -100,
  personaPrefix: 0,
  plan: 50,
  team: 60,
  read: 100,
  write: 101,
  edit: 102,
  glob: 103,
  grep: 104,
  shell: 105,
  jobs: 106,
  terminals: 106,
  webSearch: 110,
  webFetch: 111,
  lsp: 112,
  toolPresentation: 140,
  /** What the runtime of `run_code` declares of the tools (PTC-1). */
  codeMode: 150,
  deliverables: 190,
  personaSuffix: 1_000,
} as const;

/** Places in the runtime snapshot (CTX-1). */
export const contextOrder = { sandboxPolicy: 110, approvalPolicy: 115, subagentDelegation: 120 } as const;
