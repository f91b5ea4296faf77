import type { Plugin } from "@gantry/kernel";
import * as llm from "@gantry/llm/plugins/llm";
import * as llmAnthropic from "@gantry/llm/plugins/llm-anthropic";
import * as llmDeepSeek from "@gantry/llm/plugins/llm-deepseek";
import * as llmDemo from "@gantry/llm/plugins/llm-demo";
import * as llmOpenAi from "@gantry/llm/plugins/llm-openai";
import * as llmOpenAiCompatible from "@gantry/llm/plugins/llm-openai-compatible";
import * as fsSandbox from "@gantry/sandbox/plugins/fs-sandbox";
import * as subprocessDryRun from "@gantry/sandbox/plugins/subprocess-dry-run";
import * as subprocessSandbox from "@gantry/sandbox/plugins/subprocess-sandbox";
import {
  fsObservationPolicy,
  repeatToolReminder,
  spillPolicy,
  spillStore,
  systemPromptPlugin,
  toolAskUser,
  toolBash,
  toolFs,
  toolFsSearch,
  toolsPlugin,
  toolTimeoutPolicy,
  toolTodo,
} from "@gantry/tools";
import * as agents from "./agents/index.ts";
import * as approval from "./approval/index.ts";
import * as attachments from "./attachments/index.ts";
import * as commandCompact from "./command-compact/index.ts";
import * as commandExport from "./command-export/index.ts";
import * as commandFeedback from "./command-feedback/index.ts";
import * as commandPermission from "./command-permission/index.ts";
import * as commands from "./commands/index.ts";
import * as compactionBasic from "./compaction/index.ts";
import * as imageOffload from "./image-offload/index.ts";
import * as agentInstructions from "./instructions/index.ts";
import * as agentLoop from "./loop/index.ts";
import * as sandboxPrewarm from "./loop/prewarm.ts";
import * as permissionRules from "./permission-rules/index.ts";
import * as permissionPresets from "./permissions/index.ts";
import * as persona from "./prompt/persona.ts";
import * as sandboxPolicy from "./prompt/sandbox-policy.ts";
import * as userQuestions from "./questions/index.ts";
import * as llmRetry from "./retry/index.ts";
import * as settings from "./settings/index.ts";
import * as timeContext from "./time-context/index.ts";
import * as titleFallback from "./titles/fallback-title.ts";
import * as titleLlm from "./titles/llm-title.ts";

import * as tokenMeter from "./token-meter/index.ts";
import * as toolResultPruner from "./tool-result-pruner/index.ts";

/** The only place where a configured name becomes a plugin: code of this repository alone (M-5), and none that acts on the worker's own host (S-8). */
export const catalog: Readonly<Record<string, Plugin>> = {
  agents,
  "agent-instructions": agentInstructions,
  "agent-loop": agentLoop,
  approval,
  "command-compact": commandCompact,
  "command-export": commandExport,
  "command-feedback": commandFeedback,
  "command-permission": commandPermission,
  commands,
  "compaction-basic": compactionBasic,
  attachments,
  "fs-observation-policy": fsObservationPolicy,
  "fs-sandbox": fsSandbox,
  "image-offload": imageOffload,
  llm,
  "llm-anthropic": llmAnthropic,
  "llm-deepseek": llmDeepSeek,
  "llm-demo": llmDemo,
  "llm-openai": llmOpenAi,
  "llm-openai-compatible": llmOpenAiCompatible,
  "llm-retry": llmRetry,
  "permission-presets": permissionPresets,
  "permission-rules": permissionRules,
  persona,
  "repeat-tool-reminder": repeatToolReminder,
  "sandbox-policy": sandboxPolicy,
  "sandbox-prewarm": sandboxPrewarm,
  "session-title-fallback": titleFallback,
  "session-title-llm": titleLlm,
  settings,
  "subprocess-dry-run": subprocessDryRun,
  spill: spillStore,
  "spill-policy": spillPolicy,
  "subprocess-sandbox": subprocessSandbox,
  "system-prompt": systemPromptPlugin,
  "time-context": timeContext,
  "token-meter": tokenMeter,
  "tool-ask-user": toolAskUser,
  "tool-bash": toolBash,
  "tool-fs": toolFs,
  "tool-fs-search": toolFsSearch,
  "tool-result-pruner": toolResultPruner,
  "tool-timeout-policy": toolTimeoutPolicy,
  "tool-todo": toolTodo,
  tools: toolsPlugin,
  "user-questions": userQuestions,
};
