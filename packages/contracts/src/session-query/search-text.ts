import { isEvent, type SessionEvent } from "../events.ts";
import type { ContentBlock, Message } from "../messages.ts";

export type SearchKind = "user" | "assistant" | "tool";
/** The types of event that have text to be found. */
export const searchedTypes = { user: "user/message", assistant: "assistant/message", tool: "tool/result" } as const;

/** Longest text kept of a message, and of a tool's result, whose beginning says what it is. In UTF-16 units. */
const maxMessage = 20_000;
const maxResult = 2_000;
/** Context that a plugin lays beside a conversation says the same in every session and would be found in each. */
const surroundings = new Set(["instructions", "catalog", "snapshot"]);

/** What a search finds of an event: what people, agents and tools said; no reasoning, deltas, headers or structure (QRY-2). Null: nothing. */
export function searchTextOf(event: SessionEvent): { readonly kind: SearchKind; readonly text: string } | null {
  if (isEvent(event, "user/message")) return isSurrounding(event.data) ? null : found("user", textOf(event.data.content), maxMessage);
  if (isEvent(event, "assistant/message")) return found("assistant", textOf(event.data.message.content), maxMessage);
  // a pruned result has less of the same text
  if (!isEvent(event, "tool/result") || typeof event.surfaceOp === "object") return null;
  const parts = event.data.message.content.map((block) => (block.type === "tool-result" ? textOf(block.content) : ""));
  return found("tool", parts.join("\n"), maxResult);
}

function isSurrounding({ source }: Message): boolean {
  return source.kind === "plugin" && source.form !== undefined && surroundings.has(source.form);
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function found(kind: SearchKind, text: string, max: number): { kind: SearchKind; text: string } | null {
  const kept = text.slice(0, max).toWellFormed().trim();
  return kept === "" ? null : { kind, text: kept };
}
