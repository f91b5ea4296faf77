import { anyConfig, fields, flag, noConfig, positive, text, textList, whole } from "./config-schema.ts";
import type { CatalogEntry } from "./entry.ts";

const version = "0.1.0";
const planes = ["host"] as const;
const agent = { package: "@gantry/agent", version, planes, trust: "platform" } as const;
const llm = { ...agent, package: "@gantry/llm" } as const;
const sandbox = { ...agent, package: "@gantry/sandbox" } as const;
const tools = { ...agent, package: "@gantry/tools" } as const;

const networkProvider = {
  ...llm,
  provides: [],
  requires: ["llm", "credentials"],
  config: fields(
    {
      providerId: text({ minLength: 1 }),
      slug: text({ minLength: 1 }),
      baseUrl: text({ minLength: 1 }),
      models: textList(),
      allowInsecure: flag(false),
      idleTimeoutMs: positive(300_000, { maximum: 3_600_000 }),
    },
    { open: true },
  ),
  limits: [
    // whether a model server may be inside the network is the installation's word, never a layer's
    { field: "allowInsecure", allowed: [false], when: { $ne: [{ $fact: "platform.privateHosts" }, true] } },
    { field: "idleTimeoutMs", max: 3_600_000 },
  ],
} as const;

/** Plugins of the host plane: what every agent of an org stands on. */
export const hostEntries: readonly CatalogEntry[] = [
  { ...agent, name: "agents", provides: ["agents"], requires: [], config: anyConfig },
  { ...agent, name: "agent-loop", provides: [], requires: ["agents", "llm", "tools", "systemPrompt"], config: anyConfig },
  { ...sandbox, name: "fs-sandbox", provides: ["fs"], requires: [], config: anyConfig },
  { ...llm, name: "llm", provides: ["llm"], requires: [], config: anyConfig },
  { ...networkProvider, name: "llm-anthropic" },
  {
    ...llm,
    name: "llm-demo",
    provides: [],
    requires: ["llm"],
    config: fields(
      {
        slug: text({ minLength: 1, default: "demo" }),
        models: textList({ minItems: 1, default: ["scripted"] }),
        delayMs: whole({ minimum: 0, maximum: 1_000, default: 35 }),
      },
      { open: true },
    ),
  },
  { ...networkProvider, name: "llm-openai-compatible" },
  {
    ...agent,
    name: "llm-retry",
    provides: [],
    requires: [],
    config: fields(
      {
        mode: text({ enum: ["normal", "always"], default: "normal" }),
        maxRetries: whole({ minimum: 0, maximum: 100, default: 5 }),
        baseDelayMs: positive(500),
        maxDelayMs: positive(10_000, { maximum: 3_600_000 }),
      },
      { open: true },
    ),
    limits: [
      { field: "maxRetries", max: 20 },
      { field: "baseDelayMs", min: 100, max: 60_000 },
      { field: "maxDelayMs", max: 600_000 },
    ],
  },
  // says under which permissions a session works; an org that removed it would leave the model uninformed
  { ...agent, name: "sandbox-policy", provides: [], requires: ["systemPrompt"], config: anyConfig, locked: true },
  { ...agent, name: "sandbox-prewarm", provides: [], requires: [], config: anyConfig },
  {
    ...agent,
    name: "session-title-fallback",
    provides: [],
    requires: [],
    config: fields({ maxWords: positive(5), maxBytes: positive(40) }, { open: true }),
    limits: [{ field: "maxBytes", max: 200 }],
  },
  { ...sandbox, name: "subprocess-sandbox", provides: ["subprocess"], requires: [], config: anyConfig },
  {
    ...tools,
    name: "system-prompt",
    provides: ["systemPrompt"],
    requires: [],
    config: fields({
      personaPrefix: text({ default: "" }),
      personaSuffix: text({ default: "" }),
      includeHarnessIdentity: flag(true),
      includeRuntimeContext: flag(true),
      toolOrder: textList({ default: ["<unlisted-tools>"] }, text()),
    }),
  },
  { ...tools, name: "tools", provides: ["tools"], requires: ["systemPrompt"], config: noConfig },
];
