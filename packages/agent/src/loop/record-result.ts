import type { EventData, ToolCallBlock } from "@gantry/contracts";
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

type Result = { call: ToolCallBlock; callSeq: number; outcome: ToolOutcome };

/** Logs the result of a call, and puts the notices that came with it into the next step (BAT-4). Nothing once the session was taken away. */
export function recordResult(
  agent: Agent,
  at: { turn: number; step: number; signal?: AbortSignal },
  { call, callSeq, outcome }: Result,
): void {
  if (agent.log.isFenced || (at.signal && isReleased(at.signal))) return;
  const { content, isError, error, meta } = outcome;
  const data: EventData<"tool/result"> = {
    turn: at.turn,
    step: at.step,
    message: {
      id: newId(),
      role: "user",
      content: [{ type: "tool-result", toolCallId: call.id, content: [...content], isError }],
      source: { kind: "tool", callId: call.id },
    },
    ...(error ? { error } : {}),
    ...(meta === undefined ? {} : { meta: meta as never }),
  };
  agent.log.append({ type: "tool/result", surfaceOp: "append", sourceEventSeqs: [callSeq], data });
  for (const { content: text, source } of outcome.additionalContexts) {
    agent.inbox.push("next-step", { id: newId(), role: "user", content: [...text], source });
  }
}
