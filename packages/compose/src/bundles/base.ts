import type { Bundle } from "./bundle.ts";
import { rowsNamed } from "./rows.ts";

/** What every agent of an org stands on, whatever its preset and surface. */
export const base: Bundle = {
  name: "base",
  version: 3,
  patches: [
    rowsNamed(
      "agents",
      "agent-loop",
      "attachments",
      "approval",
      "commands",
      "command-feedback",
      "command-permission",
      "fs-sandbox",
      "image-offload",
      "llm",
      "llm-retry",
      "permission-presets",
      "permission-rules",
      "repeat-tool-reminder",
      "sandbox-policy",
      "sandbox-prewarm",
      "session-title-fallback",
      "session-title-llm",
      "settings",
      "spill",
      "spill-policy",
      "subprocess-sandbox",
      "system-prompt",
      "token-meter",
      "tools",
      "user-questions",
    ),
    // planned: listed so that an admin sees what will stand here
    rowsNamed(
      "plugin-manager",
      "jobs",
      "working-directory",
      "shell-env",
      "skill",
      "goal",
      "goal-round-driver",
      "subagent",
      "subagent-spawn",
      "subagent-fork",
      "ptc-runtime",
      "web",
      "web-search",
      "web-fetch",
      "mcp-resources",
    ),
    { id: "spill-policy", config: { maxInlineTokens: 12_500 } },
    // an agent may manage plugins only where an org switches this on (N-12)
    { id: "plugin-manager", disabled: true },
  ],
};
