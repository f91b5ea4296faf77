import { isDeepStrictEqual } from "node:util";
import { type CallConfig, type EventData, isEvent } from "@gantry/contracts";
import { scopeTarget } from "@gantry/kernel";
import type { LlmRequest } from "@gantry/llm";
import type { Agent } from "./agent.ts";
import type { StepAt } from "./step.ts";

type Header = EventData<"request/header">["header"];

/**
 * The next model request: configuration through the `agent/request` waterfall, header logged when it is new, everything
 * durable before the caller opens the stream (STP-1, STP-3, SES-29a). What is sent equals header plus surface (SES-18).
 * @throws what the flush threw: then the model is not called
 */
export async function buildRequest(agent: Agent, { assembly, signal }: StepAt): Promise<LlmRequest> {
  const before = agent.log.events.findLast((event) => isEvent(event, "request/header"))?.data.header;
  const start = agent.hasLoggedHeader && before ? before.config : agent.route;
  const config = await agent.ctx.waterfall(scopeTarget(agent), "agent/request", { agent }, () => Promise.resolve(start));
  signal.throwIfAborted();
  const header: Header = {
    config,
    ...(assembly.system ? { system: assembly.system } : {}),
    ...(assembly.tools.length > 0 ? { tools: assembly.tools } : {}),
  };
  logHeader(agent, header, before);
  logContext(agent, config);
  await agent.log.flush();
  signal.throwIfAborted();
  return {
    ...config,
    ...(header.system ? { system: header.system } : {}),
    ...(header.tools ? { tools: header.tools } : {}),
    messages: agent.log.surface.messages(),
    sessionId: agent.sessionId,
    purpose: "main",
    signal,
  };
}

function logHeader(agent: Agent, header: Header, before: Header | undefined): void {
  if (!agent.hasLoggedHeader) agent.log.append({ type: "request/header", data: { header, reason: before ? "resume" : "initial" } });
  else if (!isDeepStrictEqual(toPlain(header), toPlain(before)))
    agent.log.append({ type: "request/header", data: { header, reason: "change" } });
  agent.hasLoggedHeader = true;
}

function logContext(agent: Agent, { provider, model }: CallConfig): void {
  const contextWindow = agent.ctx.llm.resolve({ provider, model })?.contextWindow;
  const data = { provider, model, ...(contextWindow ? { contextWindow } : {}) };
  const before = agent.log.events.findLast((event) => isEvent(event, "request/context"))?.data;
  if (!isDeepStrictEqual(data, toPlain(before))) agent.log.append({ type: "request/context", data });
}

/** The log's copies have no prototype quirks, but `isDeepStrictEqual` compares prototypes; JSON gives both the same. */
function toPlain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
