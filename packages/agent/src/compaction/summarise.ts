import type { EventData, Usage } from "@gantry/contracts";
import type { Llm } from "@gantry/llm";
import type { Agent } from "../loop/agent.ts";
import { messageOf, type SurfaceEvent } from "../session/surface.ts";
import { CompactionError } from "./error.ts";
import { summaryRequest } from "./summary-text.ts";
import "../attachments/events.ts";

export type SummaryOptions = {
  readonly llm: Llm;
  readonly route: { readonly provider: string; readonly model: string; readonly maxTokens: number };
  readonly range: readonly SurfaceEvent[];
  readonly signal: AbortSignal;
};
export type Summary = { readonly text: string; readonly usage: Usage | undefined };

/**
 * Asks for a summary of a part of the history: the session's own prompt and tools, that part, one instruction behind it, so that the
 * provider's cached prefix serves again (CMP-7). Everything is durable before (SES-29a).
 * @throws CompactionError "summary" when the answer is not plain text and whole, and what the flush threw
 */
export async function summarise(agent: Agent, { llm, route, range, signal }: SummaryOptions): Promise<Summary> {
  await agent.log.flush();
  signal.throwIfAborted();
  const header: Partial<EventData<"request/header">["header"]> = agent.log.last("request/header")?.data.header ?? {};
  const images = agent.ctx.get("imageSource");
  const request = {
    ...route,
    ...(images ? { images } : {}),
    ...(header.system ? { system: header.system } : {}),
    ...(header.tools ? { tools: header.tools } : {}),
    messages: [...range.flatMap(messageOf), summaryRequest()],
    sessionId: agent.sessionId,
    userId: agent.userId,
    purpose: "compaction" as const,
    signal,
  };
  let text = "";
  let usage: Usage | undefined;
  let problem: string | null = "the answer was cut off";
  for await (const chunk of unbroken(llm.stream(request))) {
    if (chunk.type === "text-delta") text += chunk.text;
    else if (chunk.type === "usage") usage = chunk.usage;
    else if (chunk.type === "tool-call-delta")
      throw new CompactionError("summary", "The model called a tool instead of writing a summary.");
    else if (chunk.type === "finish") problem = problemOf(chunk.reason);
  }
  signal.throwIfAborted();
  if (problem !== null) throw new CompactionError("summary", `The model gave no whole summary: ${problem}`);
  if (text.trim() === "") throw new CompactionError("summary", "The model wrote no text for a summary.");
  return { text: text.trim(), usage };
}

/** What a listener of the stream throws is a failed summary like any other. */
async function* unbroken<T>(stream: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* stream;
  } catch (cause) {
    throw new CompactionError("summary", "The request for a summary broke off.", { cause });
  }
}

type Reason = { readonly kind: string; readonly failure?: { readonly message: string } };

function problemOf({ kind, failure }: Reason): string | null {
  if (kind === "stop" || kind === "tool-calls") return null;
  return failure?.message ?? "it is longer than a summary may be.";
}
