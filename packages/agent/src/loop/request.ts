import { isDeepStrictEqual } from "node:util";
import type { CallConfig, EventData } from "@gantry/contracts";
import { scopeTarget } from "@gantry/kernel";
import type { LlmRequest, ModelInfo } from "@gantry/llm";
import type { SystemPromptResult } from "@gantry/tools";
import "../attachments/events.ts";
import type { Agent } from "./agent.ts";
import type { StepAt } from "./step.ts";

type Header = EventData<"request/header">["header"];
type Default = NonNullable<Header["adapterDefaults"]>[number];

/**
 * The next model request: configuration through the `agent/request` waterfall, header logged when it is new, everything
 * durable before the caller opens the stream (STP-1 to STP-4, SES-29a). What is sent equals header plus surface (SES-18).
 * A route that no adapter serves is no error here: a listener of the stream may serve it (STP-2).
 * @throws Error when nobody chose a route (AGT-4), and what the flush threw: then the model is not called
 */
export async function buildRequest(agent: Agent, { assembly, signal }: StepAt): Promise<LlmRequest> {
  const before = agent.log.last("request/header")?.data.header ?? null;
  const start = startConfig(agent, before);
  const asked = await agent.ctx.waterfall(scopeTarget(agent), "agent/request", { agent }, () => Promise.resolve(start));
  signal.throwIfAborted();
  if (!asked.provider || !asked.model)
    throw new Error("The session has no model: give the agent a provider and a model, or choose them in a listener of agent/request.");
  const info = agent.ctx.llm.resolve(asked);
  const header = logHeader(agent, canonical(asked, info, assembly), before);
  logContext(agent, header.config, info);
  agent.ctx.llm.prepare(header.config);
  await agent.log.flush();
  signal.throwIfAborted();
  const images = agent.ctx.get("imageSource");
  return Object.freeze({
    ...header.config,
    ...(header.system ? { system: header.system } : {}),
    ...(header.tools ? { tools: header.tools } : {}),
    messages: Object.freeze(agent.log.surface.messages()),
    ...(images ? { images } : {}),
    sessionId: agent.sessionId,
    userId: agent.userId,
    purpose: "main",
    signal,
  });
}

/**
 * What the waterfall begins with (STP-1, LLM-11). The first request of a loop takes the agent's route, and of the last header only an effort that
 * somebody chose for this very route; later requests take the last header's choices, without what the adapter filled in.
 */
function startConfig(agent: Agent, before: Header | null): CallConfig {
  const { route } = agent;
  if (!before) return route;
  const chosen = withoutDefaults(before);
  if (agent.hasLoggedHeader) return chosen;
  const isSameRoute = chosen.provider === route.provider && chosen.model === route.model;
  return isSameRoute && chosen.reasoningEffort ? { reasoningEffort: chosen.reasoningEffort, ...route } : route;
}

function withoutDefaults({ config, adapterDefaults = [] }: Header): CallConfig {
  const chosen = { ...config };
  for (const field of adapterDefaults) delete chosen[field];
  return chosen;
}

/** One form for equal headers: fixed order of keys, what is empty left out; the order of tools counts (AG-183). */
function canonical(asked: CallConfig, info: ModelInfo | null, { system, tools }: SystemPromptResult): Header {
  const { provider, model } = asked;
  const maxTokens = asked.maxTokens || info?.maxTokens;
  const reasoningEffort = asked.reasoningEffort || info?.defaultEffort;
  const defaults: Default[] = [];
  if (maxTokens && !asked.maxTokens) defaults.push("maxTokens");
  if (reasoningEffort && !asked.reasoningEffort) defaults.push("reasoningEffort");
  return {
    config: { provider, model, ...(maxTokens ? { maxTokens } : {}), ...(reasoningEffort ? { reasoningEffort } : {}) },
    ...(defaults.length > 0 ? { adapterDefaults: defaults } : {}),
    ...(system ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

/** The last header that a live agent asked for: most steps ask for the same one again, made of the same parts. */
const lastAsked = new WeakMap<Agent, Header>();

/** Logs a header that differs from the last one, or is the first of this loop (STP-3). Answers with the logged one, which is frozen. */
function logHeader(agent: Agent, header: Header, before: Header | null): Header {
  const isFirst = !agent.hasLoggedHeader;
  const last = lastAsked.get(agent);
  lastAsked.set(agent, header);
  if (!isFirst && before && ((last && isMadeOfSame(header, last)) || isDeepStrictEqual(toPlain(header), toPlain(before)))) return before;
  const reason = !before ? "initial" : isFirst ? "resume" : "change";
  const event = agent.log.append({ type: "request/header", data: { header, reason } });
  agent.hasLoggedHeader = true;
  return (event.data as EventData<"request/header">).header;
}

/** Equal without a look into the tools, which are frozen and the same objects as long as nothing about them changes. */
function isMadeOfSame({ tools = [], ...header }: Header, { tools: others = [], ...other }: Header): boolean {
  if (tools.length !== others.length || !tools.every((tool, index) => Object.isFrozen(tool) && tool === others[index])) return false;
  return isDeepStrictEqual(header, other);
}

function logContext(agent: Agent, { provider, model }: CallConfig, info: ModelInfo | null): void {
  const { contextWindow } = info ?? {};
  const data = { provider, model, ...(contextWindow ? { contextWindow } : {}) };
  const last = agent.log.last("request/context")?.data;
  const isSameRoute = last?.provider === provider && last.model === model && last.contextWindow === data.contextWindow;
  if (!isSameRoute) agent.log.append({ type: "request/context", data });
}

/** The log's copies have no prototype quirks, but `isDeepStrictEqual` compares prototypes; JSON gives both the same. */
function toPlain(value: Header): unknown {
  return JSON.parse(JSON.stringify(value));
}
