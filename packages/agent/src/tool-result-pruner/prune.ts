import { type EventData, isEvent, type SessionEvent } from "@gantry/contracts";
import type { PrunerConfig } from "./config.ts";
import { marker } from "./config.ts";

type Result = Extract<SessionEvent, { type: "tool/result" }>;

/** The result with only the head and the tail of its text, or null when it is short enough (PRN-1). Lengths count code points. */
export function prunedResult(event: Result, { thresholdChars, headChars, tailChars }: PrunerConfig): EventData<"tool/result"> | null {
  const [block, ...rest] = event.data.message.content;
  if (block?.type !== "tool-result") return null;
  const text = block.content.map((part) => part.text).join("");
  // code points are never more than units
  if (text.length <= thresholdChars) return null;
  const points = [...text];
  if (points.length <= thresholdChars) return null;
  const kept = points.slice(0, headChars).join("") + marker + points.slice(points.length - tailChars).join("");
  const content = [{ ...block, content: [{ type: "text" as const, text: kept }] }, ...rest];
  return { ...event.data, message: { ...event.data.message, content } };
}

export const isResult = (event: SessionEvent): event is Result => isEvent(event, "tool/result");
