import { type PermissionPreset, permissionPresets, permissionTableProblems } from "@gantry/contracts";
import { fields, flag, noConfig, positive, text, textList } from "./config-schema.ts";
import type { CatalogEntry } from "./entry.ts";

const agent = { package: "@gantry/agent", version: "0.1.0", trust: "platform", planes: ["host"] } as const;
const hours = positive(168, { maximum: 2_160 });

/** Plugins that say what an agent may do, and that take its questions to people. */
export const permissionEntries: readonly CatalogEntry[] = [
  {
    ...agent,
    name: "approval",
    description: "Asks a person before a tool call goes on.",
    provides: ["approval"],
    requires: ["systemPrompt", "tools"],
    config: fields({ expiresAfterHours: hours }),
    // people are asked through it: a layer that took it away would leave them out
    mandatory: true,
  },
  {
    ...agent,
    name: "permission-presets",
    description: "Names sets of permissions that a session may switch to.",
    provides: ["permissions"],
    requires: [],
    config: fields({
      presets: {
        type: "array",
        minItems: 1,
        items: fields({
          name: text({ pattern: "^[a-z][a-z0-9-]{0,63}$" }),
          mode: text({ enum: ["read-only", "workspace-write", "danger-full-access"] }),
          policy: text({ enum: ["ask", "never"] }),
        }),
        default: permissionPresets.map((preset) => ({ ...preset })),
      },
    }),
    mandatory: true,
    check: ({ presets }) => permissionTableProblems(presets as unknown as readonly PermissionPreset[]),
  },
  {
    ...agent,
    name: "permission-rules",
    description: "Rules of the org about which calls go on, ask a person first, or are refused.",
    provides: [],
    requires: ["tools"],
    config: fields({
      rules: {
        type: "array",
        maxItems: 200,
        items: fields(
          {
            tool: text({ minLength: 1, maxLength: 64 }),
            argument: text({ minLength: 1, maxLength: 500 }),
            risk: textList({ minItems: 1 }, text({ enum: ["read", "write", "execute", "network"] })),
            decision: text({ enum: ["allow", "ask", "deny"] }),
            reason: text({ minLength: 1, maxLength: 500 }),
          },
          { optional: ["argument", "risk", "reason"] },
        ),
        default: [],
      },
    }),
  },
  {
    ...agent,
    name: "user-questions",
    description: "Brings an agent's questions to a person.",
    provides: ["userQuestions"],
    requires: ["agents"],
    config: fields({ expiresAfterHours: hours, headless: flag(false) }),
  },
  {
    ...agent,
    package: "@gantry/tools",
    planes: ["preset"],
    name: "tool-ask-user",
    description: "The tool ask_user_question.",
    provides: [],
    requires: ["tools", "userQuestions"],
    config: noConfig,
  },
];
