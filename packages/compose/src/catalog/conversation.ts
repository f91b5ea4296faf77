import { repeated } from "./config-rules.ts";
import { absolutePath, fields, positive, textList, whole } from "./config-schema.ts";
import type { CatalogEntry } from "./entry.ts";

const version = "0.1.0";
const agent = { package: "@gantry/agent", version, trust: "platform" } as const;
const tools = { ...agent, package: "@gantry/tools" } as const;
const host = { planes: ["host"] } as const;
const preset = { planes: ["preset"] } as const;

/** Plugins that shape what is said: names of sessions, instructions, the clock, long and repeated results. */
export const conversationEntries: readonly CatalogEntry[] = [
  {
    ...agent,
    ...preset,
    name: "agent-instructions",
    description: "Adds the instruction files of the workspace, such as AGENTS.md, to the conversation.",
    provides: [],
    requires: ["fs"],
    config: fields({
      maxBytes: positive(65_536, { maximum: 1_048_576 }),
      waitMs: whole({ minimum: 0, maximum: 60_000, default: 3_000 }),
    }),
  },
  {
    ...tools,
    ...host,
    name: "repeat-tool-reminder",
    description: "Points out a tool call that is repeated without change.",
    provides: [],
    requires: ["tools"],
    config: fields(
      {
        thresholds: { type: "array", minItems: 1, items: whole({ minimum: 2 }), default: [3, 5, 8] },
        argumentsPreviewChars: positive(500),
        include: textList(),
        exclude: textList({ default: [] }),
      },
      { optional: ["include"] },
    ),
    check: ({ thresholds }) => repeated(thresholds as readonly number[]).map((length) => `thresholds has ${length} twice`),
  },
  {
    ...agent,
    ...host,
    name: "session-title-llm",
    description: "Has the session's model name the session.",
    provides: [],
    requires: ["llm"],
    config: fields({
      targetWords: positive(5, { maximum: 20 }),
      targetCjkCharacters: positive(10, { maximum: 40 }),
      maxInputBytes: positive(4_096, { maximum: 65_536 }),
      maxOutputTokens: positive(4_096, { maximum: 32_768 }),
      timeoutMs: positive(60_000, { maximum: 600_000 }),
      maxTitleBytes: positive(80, { maximum: 200 }),
    }),
  },
  {
    ...tools,
    ...host,
    name: "spill",
    description: "Keeps output that is too long for a message, where the session's tools can read it.",
    provides: ["spill"],
    requires: ["fs"],
    config: fields({ folder: absolutePath("/tmp/gantry-spill") }),
  },
  {
    ...tools,
    ...host,
    name: "spill-policy",
    description: "Decides what output is too long for a message.",
    provides: [],
    requires: ["tools"],
    config: fields({ maxInlineTokens: whole({ minimum: 0 }) }, { optional: ["maxInlineTokens"] }),
  },
  {
    ...agent,
    ...preset,
    name: "time-context",
    description: "Tells the model the date and the time.",
    provides: [],
    requires: [],
    config: fields({ refreshIntervalMs: whole({ minimum: 0, maximum: 86_400_000, default: 0 }) }),
  },
];
