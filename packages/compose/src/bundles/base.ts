import type { Bundle } from "./bundle.ts";

const names = [
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
];

/** What every agent of an org stands on, whatever its preset. */
export const base: Bundle = { name: "base", version: 1, patches: [{ insert: names.map((name) => ({ id: name, name })) }] };
