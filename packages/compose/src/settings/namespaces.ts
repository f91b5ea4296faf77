import type { SettingsLevel } from "@gantry/contracts";
import { PresetSlug } from "@gantry/contracts";
import { z } from "zod";

export type SettingsNamespace = {
  /** kebab-case, unique (N-1) */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** who may write a section; later levels win */
  readonly levels: readonly SettingsLevel[];
  /** `live`: the next use reads it; `restart`: sessions that start later do */
  readonly applies: "live" | "restart";
  /** the whole value, defaults included */
  readonly schema: z.ZodObject;
  /** what one level may store: any part of it */
  readonly section: z.ZodType<Readonly<Record<string, unknown>>>;
  /** dotted paths of secret values (N-7) */
  readonly secrets: readonly string[];
  /** the plugin whose row the section tunes; it is the row's `config` below it (N-2, N-8) */
  readonly plugin?: string;
};

const presets = z.strictObject({ default: PresetSlug.default("standard") });
const models = z.strictObject({ provider: z.string().min(1).max(64).optional(), model: z.string().min(1).max(200).optional() });
/** bounds as the catalogue's limits of the plugin */
const llmRetry = z.strictObject({
  maxRetries: z.int().min(0).max(20).default(5),
  maxDelayMs: z.int().positive().max(600_000).default(10_000),
});
const maxParallelToolCalls = z.int().positive().max(100);
const autoContinue = z.enum(["never", "safe", "always"]);
const recovery = z.strictObject({ autoContinue: autoContinue.default("safe") });

const permissionName = z.enum(["read-only", "workspace-write", "danger-full-access"]);
const permissions = z.strictObject({ default: permissionName.default("workspace-write") });

const sectionOf = {
  permissions: z.strictObject({ default: permissionName.optional() }),
  presets: z.strictObject({ default: PresetSlug.optional() }),
  models: models.refine(({ provider, model }) => (provider === undefined) === (model === undefined), {
    message: "A model belongs to a provider: give both or neither.",
  }),
  recovery: z.strictObject({ autoContinue: autoContinue.optional() }),
  llmRetry: z.strictObject({ maxRetries: z.int().min(0).max(20).optional(), maxDelayMs: z.int().positive().max(600_000).optional() }),
};

export const settingsNamespaces: readonly SettingsNamespace[] = [
  {
    name: "presets",
    title: "Default preset",
    description: "The preset that new sessions start on when nobody chooses one.",
    levels: ["org", "workspace"],
    applies: "restart",
    schema: presets,
    section: sectionOf.presets,
    secrets: [],
  },
  {
    name: "permissions",
    title: "Default permissions",
    description: "What new sessions may touch when nobody chooses otherwise. Sessions that exist keep theirs.",
    levels: ["org", "user"],
    applies: "restart",
    schema: permissions,
    section: sectionOf.permissions,
    secrets: [],
  },
  {
    name: "models",
    title: "Default model",
    description: "The provider and model that new sessions start on.",
    levels: ["org", "workspace", "user"],
    applies: "restart",
    schema: models,
    section: sectionOf.models,
    secrets: [],
  },
  {
    name: "recovery",
    title: "After an interruption",
    description:
      "What a session does when its worker was lost in the middle of a turn: wait for a person (never), go on unless nobody can tell what a call did (safe), or go on and let the agent find out (always).",
    levels: ["org", "workspace"],
    applies: "live",
    schema: recovery,
    section: sectionOf.recovery,
    secrets: [],
  },
  {
    name: "llm-retry",
    title: "Retries of model requests",
    description: "How often a failed model request is sent again, and how long the longest pause is.",
    levels: ["org"],
    applies: "live",
    schema: llmRetry,
    section: sectionOf.llmRetry,
    secrets: [],
    plugin: "llm-retry",
  },
  {
    name: "agent-loop",
    title: "Tool calls",
    description: "How many tool calls of one answer may run at the same time, where the tools allow it. With 1 they run one by one.",
    levels: ["org"],
    applies: "live",
    schema: z.strictObject({ maxParallelToolCalls: maxParallelToolCalls.default(10) }),
    section: z.strictObject({ maxParallelToolCalls: maxParallelToolCalls.optional() }),
    secrets: [],
    plugin: "agent-loop",
  },
];
