import { anyConfig } from "./config-schema.ts";
import type { CatalogEntry, Plane } from "./entry.ts";

/** Plugins that the profiles and presets will name and that have no code in this release. The dump says so of each of their rows. */
const names: { readonly [P in Plane]: readonly string[] } = {
  host: [
    "approval",
    "attachments",
    "commands",
    "goal",
    "jobs",
    "permission-presets",
    "session-title-llm",
    "skill",
    "spill",
    "spill-policy",
    "subagent",
    "token-meter",
    "user-questions",
    "web",
  ],
  preset: [
    "agent-instructions",
    "command-compact",
    "command-goal",
    "compaction-basic",
    "plan-mode",
    "skill-filesystem",
    "time-context",
    "tool-ask-user",
    "tool-goal",
    "tool-jobs",
    "tool-mcp",
    "tool-pwsh",
    "tool-result-pruner",
    "tool-schedule",
    "tool-skill",
    "tool-subagent",
    "tool-subagent-control",
    "tool-terminal",
    "tool-web",
    "tool-workflow",
  ],
};

const planned =
  (plane: Plane) =>
  (name: string): CatalogEntry => ({
    name,
    package: "@gantry/agent",
    version: "0.1.0",
    provides: [],
    requires: [],
    config: anyConfig,
    planes: [plane],
    trust: "platform",
    planned: true,
  });

export const plannedEntries: readonly CatalogEntry[] = [...names.host.map(planned("host")), ...names.preset.map(planned("preset"))];
