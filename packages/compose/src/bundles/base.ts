import type { Bundle } from "./bundle.ts";
import { rowsNamed } from "./rows.ts";

/** What every agent of an org stands on, whatever its preset and surface. */
export const base: Bundle = {
  name: "base",
  version: 2,
  patches: [
    rowsNamed(
      "agents",
      "agent-loop",
      "fs-sandbox",
      "llm",
      "llm-retry",
      "sandbox-policy",
      "sandbox-prewarm",
      "session-title-fallback",
      "subprocess-sandbox",
      "system-prompt",
      "tools",
    ),
    // planned: listed so that an admin sees what will stand here
    rowsNamed(
      "plugin-manager",
      "session-title-llm",
      "user-questions",
      "jobs",
      "attachments",
      "working-directory",
      "approval",
      "permission-presets",
      "shell-env",
      "skill",
      "commands",
      "goal",
      "goal-round-driver",
      "token-meter",
      "subagent",
      "subagent-spawn",
      "subagent-fork",
      "ptc-runtime",
      "spill",
      "spill-policy",
      "image-offload",
      "repeat-tool-reminder",
      "web",
      "web-search",
      "web-fetch",
      "mcp-resources",
    ),
    // an agent may manage plugins only where an org switches this on (N-12)
    { id: "plugin-manager", disabled: true },
  ],
};
