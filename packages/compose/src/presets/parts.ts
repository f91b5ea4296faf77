import type { Condition } from "../conditions/vocabulary.ts";
import type { Row } from "../rows/row.ts";

/** Parts that shipped revisions share. Stored with them: never changed, a new form is a new constant. */
export const offWindows: Condition = { $ne: [{ $fact: "platform.os" }, "win32"] };

/** Off until an org's administrators decide otherwise in a copy (N-12). */
export const managingTools: readonly Row[] = [
  { id: "tool-plugin-manager", name: "tool-plugin-manager", disabled: true },
  { id: "tool-plugin-market", name: "tool-plugin-market", disabled: true },
];

/** Files, commands and what keeps their use in order. Every sandbox runs Linux, so bash needs no condition. */
export const workingTools: readonly Row[] = [
  { id: "agent-instructions", name: "agent-instructions", config: { maxBytes: 65_536 } },
  // a reading at every step would cost more tokens than it is worth
  { id: "time-context", name: "time-context", config: { refreshIntervalMs: 600_000 } },
  { id: "tool-bash", name: "tool-bash" },
  { id: "tool-pwsh", name: "tool-pwsh", disabled: offWindows },
  { id: "fs-observation-policy", name: "fs-observation-policy" },
  { id: "tool-fs", name: "tool-fs" },
  { id: "tool-fs-search", name: "tool-fs-search", config: { sampleOverCapGlobResults: true } },
  { id: "tool-timeout-policy", name: "tool-timeout-policy" },
  { id: "tool-jobs", name: "tool-jobs" },
  { id: "tool-schedule", name: "tool-schedule" },
];

export const skillTools: readonly Row[] = [
  { id: "skill-filesystem", name: "skill-filesystem" },
  { id: "tool-skill", name: "tool-skill" },
];

export const goalTools: readonly Row[] = [
  { id: "command-goal", name: "command-goal" },
  { id: "tool-goal", name: "tool-goal" },
];

export const planning: Row = {
  id: "planning",
  name: "cordis:group",
  group: true,
  isolate: { planMode: true },
  config: [{ id: "plan-mode", name: "plan-mode" }],
};

const basicCompaction: readonly Row[] = [
  { id: "compaction-basic", name: "compaction-basic" },
  { id: "command-compact", name: "command-compact" },
];

export const compaction: Row = {
  id: "compaction",
  name: "cordis:group",
  group: true,
  isolate: { compaction: true, toolResultPruner: true },
  config: [
    ...basicCompaction,
    { id: "tool-result-pruner", name: "tool-result-pruner", config: { thresholdChars: 8_192, headChars: 4_096, tailChars: 1_024 } },
  ],
};

/** Compaction that leaves tool results as they are. */
export const plainCompaction: Row = {
  id: "compaction",
  name: "cordis:group",
  group: true,
  isolate: { compaction: true },
  config: basicCompaction,
};

/** `workflows`: off where another row of the preset runs programs already. */
export const delegation = ({ workflows }: { workflows: boolean }): Row => ({
  id: "delegation",
  name: "cordis:group",
  group: true,
  isolate: { workflowEngine: true },
  config: [
    { id: "tool-subagent-control", name: "tool-subagent-control" },
    { id: "tool-subagent-list-agents", name: "tool-subagent-list-agents" },
    { id: "tool-subagent", name: "tool-subagent", config: { provider: "spawn", toolName: "subagent", modelSelectionSettings: true } },
    { id: "tool-subagent-fork", name: "tool-subagent", config: { provider: "fork", toolName: "subagent_fork" } },
    { id: "workflow-ptc", name: "workflow-ptc", config: { provider: "spawn" }, ...(workflows ? {} : { disabled: true }) },
    { id: "tool-workflow", name: "tool-workflow", ...(workflows ? {} : { disabled: true }) },
  ],
});

/** Questions, the todo list and the web. */
export const personTools: readonly Row[] = [
  { id: "tool-ask-user", name: "tool-ask-user" },
  { id: "tool-todo", name: "tool-todo", config: { allowParallelInProgress: true } },
  { id: "tool-web", name: "tool-web", config: { fetch: true, searchTimeoutMs: 60_000 } },
];

export const present: Row = { id: "present", name: "tool-present" };
