export { Agent, type AgentOptions } from "./loop/agent.ts";
export type { PresetRef } from "./presets/preset-ref.ts";
export type { GenerationView } from "./presets/view.ts";
export { type OrgHost, OrgRoot } from "./root/org-root.ts";
export { Row } from "./root/rows.ts";
export { applyCommand } from "./session/apply-command.ts";
export { recoverSession } from "./session/recover-session.ts";
