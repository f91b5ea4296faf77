import { checkToolOrder, restOfTools } from "./config-rules.ts";
import { anyConfig, fields, flag, noConfig, positive, text, textList, whole } from "./config-schema.ts";
import type { CatalogEntry } from "./entry.ts";

const version = "0.1.0";
const planes = ["host"] as const;
const agent = { package: "@gantry/agent", version, planes, trust: "platform" } as const;
const llm = { ...agent, package: "@gantry/llm" } as const;
const sandbox = { ...agent, package: "@gantry/sandbox" } as const;
const tools = { ...agent, package: "@gantry/tools" } as const;

// Rows of providers come from the org's provider records alone: a layer that could write one, or patch one, would send the org's key to any address.
const networkProvider = {
  ...llm,
  locked: true,
  many: true,
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
  {
    ...agent,
    name: "agents",
    description: "Makes agents and ends them; holds the one slot that a loop fills.",
    provides: ["agents"],
    requires: [],
    config: anyConfig,
    mandatory: true,
  },
  {
    ...agent,
    name: "commands",
    description: "Keeps the commands of people, such as /compact.",
    provides: ["commands"],
    requires: [],
    config: anyConfig,
  },
  {
    ...agent,
    name: "command-feedback",
    description: "The command /feedback: writes down what a person thinks of a session.",
    provides: [],
    requires: ["commands"],
    config: anyConfig,
  },
  {
    ...agent,
    name: "command-permission",
    description: "The command /permission: shows or changes what a session may touch.",
    provides: [],
    requires: ["commands", "permissions"],
    config: anyConfig,
  },
  {
    ...agent,
    name: "agent-loop",
    description: "Runs turns: asks the model, runs the tools it calls, until it is done.",
    provides: [],
    requires: ["agents", "llm", "tools", "systemPrompt", "settings"],
    config: fields({ maxParallelToolCalls: positive(10) }),
    limits: [{ field: "maxParallelToolCalls", max: 100 }],
    fills: "agentFactory",
  },
  {
    ...agent,
    name: "attachments",
    description: "Keeps the images of a session and shows them to models that accept images.",
    provides: ["attachments", "imageSource"],
    requires: ["attachmentStore", "llm"],
    config: anyConfig,
  },
  {
    ...sandbox,
    name: "fs-sandbox",
    description: "Files of the session's own sandbox.",
    provides: ["fs"],
    requires: [],
    config: anyConfig,
    many: true,
  },
  {
    ...agent,
    name: "image-offload",
    description: "Leaves the oldest images out of requests that would carry too many.",
    provides: [],
    requires: ["attachments"],
    config: fields({
      maxImages: positive(600),
      imageQuantum: positive(20),
      maxInlineBytes: positive(20 * 1024 * 1024),
      inlineQuantumBytes: positive(10 * 1024 * 1024),
    }),
    limits: [
      { field: "maxImages", max: 600 },
      { field: "maxInlineBytes", max: 64 * 1024 * 1024 },
    ],
  },
  {
    ...llm,
    name: "llm",
    description: "Sends model requests to the provider that a route names.",
    provides: ["llm"],
    requires: [],
    config: anyConfig,
    mandatory: true,
  },
  { ...networkProvider, name: "llm-anthropic", description: "A provider that speaks the Anthropic messages format." },
  {
    ...llm,
    name: "llm-demo",
    description: "A model that follows a script; needs no key and no network.",
    locked: true,
    many: true,
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
  { ...networkProvider, name: "llm-deepseek", description: "DeepSeek, or a gateway in front of it." },
  { ...networkProvider, name: "llm-openai", description: "A provider that speaks the OpenAI responses format." },
  { ...networkProvider, name: "llm-openai-compatible", description: "A provider that speaks the OpenAI chat format." },
  {
    ...agent,
    name: "llm-retry",
    description: "Sends failed model requests again, with growing pauses.",
    provides: [],
    requires: ["settings"],
    config: fields({
      mode: text({ enum: ["normal", "always"], default: "normal" }),
      maxRetries: whole({ minimum: 0, maximum: 100, default: 5 }),
      baseDelayMs: positive(500),
      maxDelayMs: positive(10_000, { maximum: 3_600_000 }),
    }),
    limits: [
      { field: "maxRetries", max: 20 },
      { field: "baseDelayMs", min: 100, max: 60_000 },
      { field: "maxDelayMs", max: 600_000 },
    ],
  },
  // says under which permissions a session works; an org that removed it would leave the model uninformed
  {
    ...agent,
    name: "sandbox-policy",
    description: "Tells the model under which permissions the session works.",
    provides: [],
    requires: ["systemPrompt"],
    config: anyConfig,
    locked: true,
  },
  {
    ...agent,
    name: "sandbox-prewarm",
    description: "Starts the sandbox while the model still thinks about its first answer.",
    provides: [],
    requires: [],
    config: anyConfig,
  },
  {
    ...agent,
    name: "session-title-fallback",
    description: "Names a session after its first message.",
    provides: [],
    requires: [],
    config: fields({ maxWords: positive(5), maxBytes: positive(40) }),
    limits: [{ field: "maxBytes", max: 200 }],
  },
  {
    ...agent,
    name: "settings",
    description: "What the organisation has set for its plugins, over what their rows say.",
    provides: ["settings"],
    requires: ["settingsStore"],
    config: anyConfig,
    mandatory: true,
  },
  {
    ...sandbox,
    name: "subprocess-sandbox",
    description: "Runs commands in the session's own sandbox.",
    provides: ["subprocess"],
    requires: [],
    config: anyConfig,
    many: true,
  },
  {
    ...sandbox,
    name: "subprocess-dry-run",
    many: true,
    description: "Runs no command: answers each with a chosen exit code and says what would have run.",
    planes: ["host", "preset"],
    provides: ["subprocess"],
    requires: [],
    config: fields({ exitCode: whole({ minimum: 0, maximum: 255, default: 0 }) }),
  },
  {
    ...tools,
    name: "system-prompt",
    description: "Builds the system prompt out of sections and variables.",
    provides: ["systemPrompt"],
    requires: [],
    config: fields({
      personaPrefix: text({ default: "" }),
      personaSuffix: text({ default: "" }),
      includeHarnessIdentity: flag(true),
      includeRuntimeContext: flag(true),
      toolOrder: textList({ default: [restOfTools] }, text()),
    }),
    mandatory: true,
    check: ({ toolOrder }) => checkToolOrder(toolOrder as readonly string[]),
  },
  {
    ...agent,
    name: "token-meter",
    description: "Knows how full the context of a session is.",
    provides: ["tokenMeter"],
    requires: [],
    config: anyConfig,
  },
  {
    ...tools,
    name: "tools",
    description: "Keeps the tools and takes every call through its checks.",
    provides: ["tools"],
    requires: ["systemPrompt"],
    config: noConfig,
    mandatory: true,
  },
];
