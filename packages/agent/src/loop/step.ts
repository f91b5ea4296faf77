import type { EventDraft, LlmFailure, Message, ToolCallBlock, Usage } from "@gantry/contracts";
import type { FinishChunk, LlmRequest } from "@gantry/llm";
import { newId } from "@gantry/platform";
import type { SystemPromptResult } from "@gantry/tools";
import { stepClosers } from "../session/recovery.ts";
import type { Agent } from "./agent.ts";
import { runBatch } from "./batch.ts";
import { isDisposed } from "./cancel.ts";
import { Draft } from "./draft.ts";
import { buildRequest } from "./request.ts";

/** A model failure that no recovery took; it ends the turn as data, never as a crash. */
export class StepFailed extends Error {
  readonly failure: LlmFailure;
  constructor(failure: LlmFailure) {
    super(failure.message);
    this.name = "StepFailed";
    this.failure = failure;
  }
}

export type StepAt = { turn: number; step: number; signal: AbortSignal; assembly: SystemPromptResult };
/** `continue`: tools owe the model another call (LOP-1). */
export type StepResult = "completed" | "max-tokens" | "continue";

/** One model request and its tool calls (specs/agent-core §2.6). `step/end` is written whatever happens. */
export async function runStep(agent: Agent, at: StepAt): Promise<StepResult> {
  const { turn, step, signal } = at;
  try {
    const { finish, calls } = await respond(agent, at);
    if (calls.length === 0) return finish.reason.kind === "max-tokens" ? "max-tokens" : "completed";
    return (await runBatch(agent, calls, at)) ? "completed" : "continue";
  } finally {
    if (!agent.log.isFenced && !isDisposed(signal)) {
      for (const closer of stepClosers(agent.log.events, { turn, step })) agent.log.append(closer);
    }
  }
}

type Response = { finish: FinishChunk; calls: ToolCallBlock[] };

/** Sends the request until an attempt ends well or nobody asks for another (STP-6); all attempts belong to the same open step. */
async function respond(agent: Agent, at: StepAt): Promise<Response> {
  for (;;) {
    const request = await buildRequest(agent, at);
    const draft = new Draft(agent, { turn: at.turn, step: at.step, messageId: newId() });
    const finish = await draft.receive(stream(agent, request), at.signal);
    if (at.signal.aborted) {
      keepPartial(agent, draft, at, request);
      at.signal.throwIfAborted();
    }
    const { reason } = finish;
    if (reason.kind !== "error" && reason.kind !== "aborted") return accept(agent, draft, finish, at, request);
    const { failure } = reason;
    const input = {
      ...at,
      agent: agent.scope,
      provider: request.provider,
      failure,
      append: (draft: EventDraft) => agent.log.append(draft),
    };
    const decision = await agent.ctx.waterfall("agent/request-error", input, () => Promise.resolve({ kind: "fail" }));
    at.signal.throwIfAborted();
    if (decision.kind !== "retry") throw new StepFailed(failure);
  }
}

function stream(agent: Agent, request: LlmRequest) {
  agent.showActivity({ kind: "waiting-model", since: Date.now() });
  return agent.ctx.llm.stream(request);
}

/** Always appended, even empty: it keeps the usage (STP-8). A cut-off answer loses its tool calls: their arguments are not whole. */
function accept(agent: Agent, draft: Draft, finish: FinishChunk, at: StepAt, request: LlmRequest): Response {
  const blocks = draft.blocks();
  const content = finish.reason.kind === "max-tokens" ? blocks.filter((block) => block.type !== "tool-call") : uniqueCalls(blocks);
  const message = draft.message(content, request, finish.replayState);
  appendMessage(agent, at, { message, usage: draft.usage, sources: draft.chunkSeqs });
  return { finish, calls: content.filter((block) => block.type === "tool-call") };
}

/** What was readable of an aborted answer stays in the log (STP-7); half a tool call does not. */
function keepPartial(agent: Agent, draft: Draft, at: StepAt, request: LlmRequest): void {
  if (isDisposed(at.signal)) return;
  const content = draft.blocks().filter((block) => (block.type === "text" || block.type === "reasoning") && block.text.trim() !== "");
  if (content.length === 0) return;
  appendMessage(agent, at, {
    message: draft.message(content, request, undefined),
    usage: draft.usage,
    sources: draft.chunkSeqs,
    interrupted: true,
  });
}

type Entry = { message: Message; usage: Usage | undefined; sources: readonly number[]; interrupted?: true };

function appendMessage(agent: Agent, at: StepAt, { message, usage, sources, interrupted }: Entry): void {
  agent.log.append({
    type: "assistant/message",
    surfaceOp: "append",
    sourceEventSeqs: sources,
    data: { turn: at.turn, step: at.step, message, ...(usage ? { usage } : {}), ...(interrupted ? { interrupted } : {}) },
  });
}

/** A model may repeat a call id; each call gets an id of its own so that every result has exactly one call. */
function uniqueCalls(blocks: Message["content"]): Message["content"] {
  const seen = new Set<string>();
  return blocks.map((block) => {
    if (block.type !== "tool-call") return block;
    const id = block.id === "" || seen.has(block.id) ? `call-${newId()}` : block.id;
    seen.add(id);
    return { ...block, id };
  });
}
