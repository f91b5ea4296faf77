import { type EventData, isEvent, type SessionEvent, type ToolResultBlock } from "@gantry/contracts";
import { marker, type PrunerConfig } from "./config.ts";

type Result = Extract<SessionEvent, { type: "tool/result" }>;
type Part = ToolResultBlock["content"][number];

/** The result with only the head and the tail of its text, or null when it is short enough (PRN-1). Lengths count code points. */
export function prunedResult(event: Result, config: PrunerConfig): EventData<"tool/result"> | null {
  const [block, ...rest] = event.data.message.content;
  if (block?.type !== "tool-result") return null;
  const units = block.content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  // code points are never more than units
  if (units <= config.thresholdChars) return null;
  const content = prunedParts(block.content, config);
  return content && { ...event.data, message: { ...event.data.message, content: [{ ...block, content }, ...rest] } };
}

/** The parts as one text with a gap in it; what is no text stays where it is. */
function prunedParts(parts: readonly Part[], { thresholdChars, headChars, tailChars }: PrunerConfig): Part[] | null {
  const texts = parts.map((part) => (part.type === "text" ? [...part.text] : []));
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= thresholdChars) return null;
  let from = 0;
  return parts.flatMap((part, index): Part[] => {
    if (part.type !== "text") return [part];
    const text = texts[index] as string[];
    const to = from + text.length;
    const head = text.slice(0, Math.max(0, headChars - from)).join("");
    const tail = text.slice(Math.max(0, total - tailChars - from)).join("");
    // where the gap begins; never inside the tail, for there is more between the two than the mark takes
    const gap = from <= headChars && headChars < to ? marker : "";
    from = to;
    return head + gap + tail === "" ? [] : [{ ...part, text: head + gap + tail }];
  });
}

export const isResult = (event: SessionEvent): event is Result => isEvent(event, "tool/result");
