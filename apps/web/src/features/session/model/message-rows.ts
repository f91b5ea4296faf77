import type { EventData, ToolResultBlock } from "@gantry/contracts";
import { textKey, toolKey } from "./drafts.ts";
import type { ToolRow, ToolState, TurnRow } from "./rows.ts";

/** The rows of a stored message. Keys and order are those of its draft, so that nothing jumps. */
export function rowsOfMessage({ turn, step, message, interrupted }: EventData<"assistant/message">): TurnRow[] {
  const counts = { text: 0, reasoning: 0 };
  return message.content.flatMap((block): TurnRow[] => {
    if (block.type === "tool-call") {
      const key = toolKey(turn, step, block.id);
      const call = { kind: "tool", key, callId: block.id, name: block.name, arguments: block.arguments } as const;
      return [{ ...call, state: "queued", startedAt: null, endedAt: null, result: null, ask: null, pruned: false }];
    }
    if (block.type === "tool-result" || block.type === "image" || block.text.trim() === "") return [];
    const key = textKey(message.id, block.type, counts[block.type]++);
    const cutOff = interrupted === true && block === message.content.at(-1);
    return [{ kind: block.type, key, messageId: message.id, text: block.text, live: false, cutOff }];
  });
}

const cutOffCodes = new Set(["TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_STARTED", "ABORTED", "ABORTED_BEFORE_DISPATCH"]);

/** A tool row with its result. */
export function settleTool(row: ToolRow, block: ToolResultBlock, data: EventData<"tool/result">, time: number): ToolRow {
  const code = data.error?.code ?? null;
  const text = block.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return {
    ...row,
    state: settledState(block.isError, code),
    endedAt: time,
    result: { text, isError: block.isError, code, meta: data.meta },
  };
}

function settledState(isError: boolean, code: string | null): ToolState {
  if (!isError) return "done";
  if (code !== null && cutOffCodes.has(code)) return "cut-off";
  return code !== null && /DENIED|REJECTED|FORBIDDEN/.test(code) ? "denied" : "failed";
}
