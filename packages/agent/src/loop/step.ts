import { type EventDraft, isEvent, type Json, type LlmFailure, type Message, type ToolCallBlock, type Usage } from "@gantry/contracts";
import { scopeTarget } from "@gantry/kernel";
import type { FinishChunk, LlmRequest, RequestErrorDecision } from "@gantry/llm";
import { newId } from "@gantry/platform";
import type { SystemPromptResult } from "@gantry/tools";
import { stepClosers } from "../session/closers.ts";
import { lastTurn, type OpenCall, unresolvedCalls } from "../session/unresolved-calls.ts";
import type { Agent } from "./agent.ts";
import { type BatchAt, runBatch } from "./batch.ts";
import { isReleased } from "./cancel.ts";
import { Draft } from "./draft.ts";
import { buildRequest } from "./request.ts";
import { Waiting } from "./waiting.ts";

/** A model failure that no recovery took; it ends the turn as data, never as a crash. */
export class StepFailed extends Error {
  readonly failure: LlmFailure;
  constructor(failure: LlmFailure) {
    super(failure.message);
    this.name = "StepFailed";
    this.failure = failure;
  }
}

export type StepAt = BatchAt & { readonly assembly: SystemPromptResult };
/** `continue`: tools owe the model another call (LOP-1). */
export type StepResult = "completed" | "max-tokens" | "continue";

/** One model request and its tool calls (specs/agent-core §2.6); blocks decide whether there are calls, whatever the finish says (STP-9). `step/end` is written whatever happens, unless the step waits for a person. */
export function runStep(agent: Agent, at: StepAt): Promise<StepResult> {
  return closed(agent, at, async () => {
    const { finish, calls } = await respond(agent, at);
    if (calls.length === 0) return finish.reason.kind === "max-tokens" ? "max-tokens" : "completed";
    return runCalls(
      agent,
      calls.map((block) => ({ block, callSeq: null })),
      at,
    );
  });
}

/**
 * Goes on with the open step where it stands: the call that waited for a person is decided now, those after it follow (architecture §8). What was
 * committed before it waited may have concluded the turn (BAT-5).
 */
export function takeUpStep(agent: Agent, at: BatchAt): Promise<StepResult> {
  return closed(agent, at, async () => {
    const turn = lastTurn(agent.log.events);
    const hasConcluded = turn.some((event) => isEvent(event, "tool/result") && event.data.step === at.step && event.data.concludesTurn);
    const result = await runCalls(agent, unresolvedCalls(turn, at.step), at);
    return hasConcluded ? "completed" : result;
  });
}

async function runCalls(agent: Agent, calls: readonly OpenCall[], at: BatchAt): Promise<StepResult> {
  return (await runBatch(agent, calls, at)) ? "completed" : "continue";
}

async function closed(agent: Agent, { turn, step, signal }: BatchAt, work: () => Promise<StepResult>): Promise<StepResult> {
  let isWaiting = false;
  try {
    return await work();
  } catch (error) {
    isWaiting = error instanceof Waiting;
    throw error;
  } finally {
    if (!isWaiting && !agent.log.isFenced && !isReleased(signal)) {
      // the walk through the turn is for the rare step that broke off
      const isWhole = agent.log.open.calls.length === 0;
      const closers: EventDraft[] = isWhole ? [{ type: "step/end", data: { turn, step } }] : stepClosers(agent.log.events, { turn, step });
      for (const closer of closers) agent.log.append(closer);
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
    const fail = (): Promise<RequestErrorDecision> => Promise.resolve({ kind: "fail" });
    const decision = await agent.ctx.waterfall(scopeTarget(agent.scope), "agent/request-error", input, fail);
    at.signal.throwIfAborted();
    if (decision.kind !== "retry") throw new StepFailed(failure);
  }
}

function stream(agent: Agent, request: LlmRequest) {
  agent.showActivity({ kind: "waiting-model", since: Date.now() });
  return agent.ctx.llm.stream(request);
}

/**
 * Always appended, even empty: it keeps the usage and is an anchor (STP-8, AG-201). A cut-off answer loses its tool calls, for their
 * arguments are not whole; a block without text says nothing.
 */
function accept(agent: Agent, draft: Draft, finish: FinishChunk, at: StepAt, request: LlmRequest): Response {
  const blocks = draft.blocks();
  const isCut = finish.reason.kind === "max-tokens";
  const kept = blocks.map((block) => (block.type === "tool-call" ? !isCut : "text" in block && block.text !== ""));
  const content = uniqueCalls(blocks.filter((_block, index) => kept[index]));
  const message = draft.message(content, request, keptReplay(finish.replayState, kept));
  appendMessage(agent, at, { message, usage: draft.usage, sources: draft.chunkSeqs, ...(isCut ? { cutOff: true } : {}) });
  return { finish, calls: content.filter((block) => block.type === "tool-call") };
}

/** What the provider wants back loses the entries of the blocks that were left out, and all of it where the two do not match (STP-8). */
function keptReplay(state: Json | undefined, kept: readonly boolean[]): Json | undefined {
  if (state === undefined || kept.every(Boolean)) return state;
  const { blocks } = state as { blocks?: unknown };
  if (!Array.isArray(blocks) || blocks.length !== kept.length) return undefined;
  return { ...(state as object), blocks: blocks.filter((_block, index) => kept[index]) as Json[] };
}

/** What was readable of an aborted answer stays in the log (STP-7); half a tool call does not. */
function keepPartial(agent: Agent, draft: Draft, at: StepAt, request: LlmRequest): void {
  if (isReleased(at.signal)) return;
  const content = draft.blocks().filter((block) => (block.type === "text" || block.type === "reasoning") && block.text.trim() !== "");
  if (content.length === 0) return;
  appendMessage(agent, at, {
    message: draft.message(content, request, undefined),
    usage: draft.usage,
    sources: draft.chunkSeqs,
    interrupted: true,
  });
}

type Entry = { message: Message; usage: Usage | undefined; sources: readonly number[]; interrupted?: true; cutOff?: true };

function appendMessage(agent: Agent, { turn, step }: StepAt, { message, usage, sources, ...ending }: Entry): void {
  agent.log.append({
    type: "assistant/message",
    surfaceOp: "append",
    sourceEventSeqs: sources,
    data: { turn, step, message, ...(usage ? { usage } : {}), ...ending },
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
