import type { EventData, Usage } from "@gantry/contracts";
import type { Llm, LlmRequest } from "@gantry/llm";
import type { Agent } from "../loop/agent.ts";
import { messageOf, type SurfaceEvent } from "../session/surface.ts";
import { CompactionError } from "./error.ts";
import { shortened } from "./shortened.ts";
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
 * provider's cached prefix serves again (CMP-7). Everything is durable before (SES-29a). Where that is longer than the model can read, long texts are
 * left out of the middle, so that one huge message does not end the session for good (CP-52).
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
  try {
    return await ask(llm, request);
  } catch (error) {
    const messages = isTooLong(error) ? shortened(request.messages) : null;
    if (!messages || signal.aborted) throw error;
    return ask(llm, { ...request, messages });
  }
}

/** @throws CompactionError whose cause is the failure that the model gave, if it gave one */
async function ask(llm: Llm, request: LlmRequest): Promise<Summary> {
  let text = "";
  let usage: Usage | undefined;
  let reason: Reason = { kind: "cut", failure: { code: "", message: "the answer was cut off" } };
  for await (const chunk of unbroken(llm.stream(request))) {
    if (chunk.type === "text-delta") text += chunk.text;
    else if (chunk.type === "usage") usage = chunk.usage;
    else if (chunk.type === "tool-call-delta")
      throw new CompactionError("summary", "The model called a tool instead of writing a summary.");
    else if (chunk.type === "finish") reason = chunk.reason;
  }
  request.signal?.throwIfAborted();
  const problem = problemOf(reason);
  if (problem !== null) throw new CompactionError("summary", `The model gave no whole summary: ${problem}`, { cause: reason.failure });
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

type Reason = { readonly kind: string; readonly failure?: { readonly code: string; readonly message: string } };

const isTooLong = (error: unknown): boolean =>
  error instanceof CompactionError && (error.cause as Reason["failure"])?.code === "CONTEXT_WINDOW_EXCEEDED";

function problemOf({ kind, failure }: Reason): string | null {
  if (kind === "stop" || kind === "tool-calls") return null;
  return failure?.message ?? "it is longer than a summary may be.";
}
