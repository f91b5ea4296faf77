/**
 * Rows that the plugin manager leaves alone although layers may patch them: without one of them no session of the org starts,
 * and a manager that an agent uses could not undo it. What a session only works with (files, commands, titles, retries) is not among them: changing those is what the manager is for.
 */
export const managementRows: ReadonlySet<string> = new Set([
  "agents",
  "agent-loop",
  "llm",
  "plugin-manager",
  "sandbox-policy",
  "settings",
  "system-prompt",
  "tools",
]);
