import type { EventData, EventDraft, Message, ToolCallBlock } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { ToolOutcome } from "@gantry/tools";
import type { Agent } from "./agent.ts";
import { isReleased } from "./cancel.ts";

/** A call in the pipeline's terms. */
export function toolCall(call: ToolCallBlock) {
  return { callId: call.id, name: call.name, arguments: call.arguments };
}

/** What a call works on, for the activity chip. */
export function labelOf(call: ToolCallBlock): string {
  try {
    const args: unknown = JSON.parse(call.arguments || "{}");
    const { command, file_path: path, pattern } = args as Record<string, unknown>;
    if (typeof command === "string") return command.slice(0, 200);
    const target = [path, pattern].find((value) => typeof value === "string");
    return typeof target === "string" ? `${call.name} ${target.slice(0, 200)}` : call.name;
  } catch {
    return call.name; // the arguments are not JSON: the pipeline says so in the result
  }
}

type At = { readonly turn: number; readonly step: number; readonly signal?: AbortSignal };
type Result = { readonly call: ToolCallBlock; readonly callSeq: number; readonly outcome: ToolOutcome };

/** Logs the result of a call, and puts the notices that came with it into the next step (BAT-4). Nothing once the session was taken away. */
export function recordResult(agent: Agent, at: At, result: Result): void {
  if (agent.log.isFenced || (at.signal && isReleased(at.signal))) return;
  agent.log.append(resultDraft(at, result));
  for (const notice of noticesOf(result.outcome)) agent.inbox.push("next-step", notice);
}

/** The event that says what a call came to. */
export function resultDraft({ turn, step }: At, { call, callSeq, outcome }: Result): EventDraft {
  const { content, isError, error, meta, concludesTurn } = outcome;
  const data: EventData<"tool/result"> = {
    turn,
    step,
    message: {
      id: newId(),
      role: "user",
      content: [{ type: "tool-result", toolCallId: call.id, content: [...content], isError }],
      source: { kind: "tool", callId: call.id },
    },
    ...(error ? { error } : {}),
    ...(meta === undefined ? {} : { meta: meta as never }),
    ...(concludesTurn ? { concludesTurn } : {}),
  };
  return { type: "tool/result", surfaceOp: "append", sourceEventSeqs: [callSeq], data };
}

/** What policies want the model to read beside a result. */
export function noticesOf({ additionalContexts }: ToolOutcome): Message[] {
  return additionalContexts.map(({ content, source }) => ({ id: newId(), role: "user", content: [...content], source }));
}
