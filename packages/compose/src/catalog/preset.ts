import { maxTimerMs } from "./config-rules.ts";
import { absolutePath, fields, flag, noConfig, positive, text, textList, whole } from "./config-schema.ts";
import type { CatalogEntry } from "./entry.ts";

const ms = (fallback: number) => positive(fallback, { maximum: maxTimerMs });

/** Length of the note that stands where the middle of a result was. */
const prunedMarkChars = 39;

const common = { package: "@gantry/tools", version: "0.1.0", planes: ["preset"], trust: "platform", provides: [] } as const;

const ratio = (fallback?: number) => ({ type: "number", exclusiveMinimum: 0, maximum: 1, ...(fallback ? { default: fallback } : {}) });
const policy = { provider: text({ minLength: 1 }), model: text({ minLength: 1 }), thresholdRatio: ratio(), retainRatio: ratio() };
const policyFields = { ...policy, retainTokens: positive(), maxTokens: positive() };
const compactionFields = {
  auto: flag(true),
  thresholdRatio: ratio(0.8),
  retainRatio: ratio(0.16),
  retainTokens: positive(),
  maxTokens: positive(8_192),
  compactionRetries: whole({ minimum: 0, maximum: 10, default: 1 }),
  maxOverflowRetries: whole({ minimum: 0, maximum: 10, default: 1 }),
  provider: text({ minLength: 1 }),
  model: text({ minLength: 1 }),
  modelPolicies: textList(
    { default: [] },
    fields(policyFields, { optional: ["thresholdRatio", "retainRatio", "retainTokens", "maxTokens"] }),
  ),
};

/** Plugins of the preset plane: what one kind of agent gets besides. */
export const presetEntries: readonly CatalogEntry[] = [
  {
    ...common,
    name: "command-compact",
    description: "The command /compact: sums up the conversation so far.",
    package: "@gantry/agent",
    requires: ["commands", "compaction"],
    config: noConfig,
  },
  {
    ...common,
    name: "compaction-basic",
    description: "Sums up the oldest part of a conversation before the model's context is full.",
    package: "@gantry/agent",
    provides: ["compaction"],
    requires: ["llm", "tokenMeter"],
    config: fields(compactionFields, { optional: ["retainTokens", "provider", "model"] }),
    check: ({ provider, model }) =>
      (provider === undefined) === (model === undefined) ? [] : ["provider and model go together: both name who sums up, or neither does"],
    limits: [
      { field: "maxTokens", max: 65_536 },
      { field: "compactionRetries", max: 3 },
      { field: "maxOverflowRetries", max: 3 },
    ],
  },
  {
    ...common,
    name: "fs-observation-policy",
    description: "Lets a file be changed only as it was last read.",
    requires: [],
    config: noConfig,
  },
  {
    ...common,
    name: "persona",
    description: "Says who the agent is: the opening of the system prompt.",
    package: "@gantry/agent",
    requires: ["systemPrompt"],
    config: fields({ prefix: text(), complete: flag(false), includeRuntimeContext: flag(true) }),
  },
  {
    ...common,
    name: "tool-bash",
    description: "The tool bash: runs a command in the sandbox.",
    requires: ["tools", "subprocess", "systemPrompt"],
    config: fields({
      timeoutMs: ms(60_000),
      maxTimeoutMs: ms(600_000),
      graceMs: ms(3_000),
      maxOutputBytes: positive(64_000),
      maxSpillBytes: positive(64 * 1024 * 1024),
      home: absolutePath("/home/agent"),
      enableRunInBackground: flag(false),
    }),
    limits: [
      { field: "timeoutMs", max: 3_600_000 },
      { field: "maxTimeoutMs", max: 3_600_000 },
      { field: "graceMs", max: 30_000 },
      { field: "maxOutputBytes", max: 1_000_000 },
      { field: "maxSpillBytes", max: 256 * 1024 * 1024 },
    ],
  },
  {
    ...common,
    name: "tool-fs",
    description: "The tools read, write and edit for files, and read_image where attachments are kept.",
    requires: ["tools", "fs", "systemPrompt"],
    config: fields({ read: flag(true), write: flag(true), edit: flag(true), readImage: flag(true) }),
  },
  {
    ...common,
    name: "tool-fs-search",
    description: "The tools glob and grep: finds files and lines in them.",
    requires: ["tools", "subprocess", "systemPrompt"],
    config: fields({
      sampleOverCapGlobResults: flag(),
      timeoutMs: positive(30_000),
      graceMs: whole({ minimum: 0, default: 3_000 }),
      rgPath: absolutePath("/opt/gantry/rg"),
      maxPaths: positive(100),
      maxMatches: positive(250),
      maxRawBytes: positive(20_000_000),
    }),
    check: ({ timeoutMs, graceMs }) =>
      Number(timeoutMs) + Number(graceMs) <= maxTimerMs ? [] : [`timeoutMs and graceMs together must not exceed ${maxTimerMs}`],
    limits: [
      { field: "timeoutMs", max: 600_000 },
      { field: "graceMs", max: 30_000 },
      { field: "maxPaths", max: 10_000 },
      { field: "maxMatches", max: 10_000 },
      { field: "maxRawBytes", max: 100_000_000 },
    ],
  },
  {
    ...common,
    name: "tool-result-pruner",
    description: "Cuts long tool results down to their beginning and end when the context is nearly full.",
    package: "@gantry/agent",
    provides: ["toolResultPruner"],
    requires: [],
    config: fields({ thresholdChars: positive(8_192), headChars: positive(4_096), tailChars: positive(1_024) }),
    check: ({ thresholdChars, headChars, tailChars }) =>
      Number(headChars) + Number(tailChars) + prunedMarkChars <= Number(thresholdChars)
        ? []
        : [`headChars and tailChars together must be at least ${prunedMarkChars} below thresholdChars, or a cut result would be cut again`],
  },
  {
    ...common,
    name: "tool-timeout-policy",
    description: "Ends tool calls that run longer than their own limit.",
    requires: ["tools"],
    config: noConfig,
  },
  {
    ...common,
    name: "tool-todo",
    description: "The tool todo_write: the agent's list of what is to do.",
    requires: ["tools"],
    config: fields({ allowParallelInProgress: flag() }),
  },
];
