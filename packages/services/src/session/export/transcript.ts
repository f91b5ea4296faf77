import { type ContentBlock, isEvent, type SessionEvent, type SessionEventOf, type ToolContentBlock } from "@gantry/contracts";

/** What a transcript is made of: text that people and agents wrote, calls and results to fold away, and notes on what happened. */
export type TranscriptItem =
  | { readonly kind: "turn"; readonly turn: number; readonly time: number }
  | { readonly kind: "user" | "assistant"; readonly author: string; readonly text: string }
  | { readonly kind: "folded"; readonly label: string; readonly text: string; readonly isError: boolean }
  | { readonly kind: "note"; readonly text: string };

const folded = (label: string, text: string, isError = false): TranscriptItem => ({ kind: "folded", label, text, isError });
const note = (text: string): TranscriptItem => ({ kind: "note", text });

/** Reads a log in order and says what of each event belongs into a transcript for people (SES-20). */
export function createTranscript(): (event: SessionEvent) => TranscriptItem[] {
  const names = new Map<string, string>();
  return (event) => {
    if (isEvent(event, "turn/start")) return [{ kind: "turn", turn: event.data.turn, time: event.time }];
    if (isEvent(event, "turn/end"))
      return event.data.reason.kind === "completed" ? [] : [note(`The turn ended: ${event.data.reason.kind}.`)];
    // a replacement hides earlier events from the model; people have read them above. A summary has a mark of its own
    if (typeof event.surfaceOp === "object") return isEvent(event, "tool/result") ? [shortened(event, names)] : [];
    if (isEvent(event, "compaction/summary")) return [folded("Summary of what came before, for the model", event.data.summary)];
    if (isEvent(event, "user/message")) return userItems(event);
    if (isEvent(event, "assistant/message")) return event.data.message.content.flatMap(answerItem).concat(interruption(event));
    if (isEvent(event, "tool/call")) {
      names.set(event.data.callId, event.data.name);
      return [folded(`Call: ${event.data.name}`, event.data.arguments)];
    }
    if (isEvent(event, "tool/result")) return event.data.message.content.flatMap((block) => resultItem(block, names));
    if (isEvent(event, "command/run")) return [note(`Command: /${event.data.name}${event.data.args ? ` ${event.data.args}` : ""}`)];
    if (isEvent(event, "command/done")) return event.data.text ? [note(event.data.text)] : [];
    return [];
  };
}

function userItems({ data: { content, source } }: SessionEventOf<"user/message">): TranscriptItem[] {
  const text = textOf(content);
  if (text === "") return [];
  if (source.kind === "user") return [{ kind: "user", author: source.name ?? "User", text }];
  return [folded(`Context: ${source.kind === "plugin" ? source.plugin : source.kind}`, text)];
}

function answerItem(block: ContentBlock): TranscriptItem[] {
  if (block.type === "text" && block.text.trim() !== "") return [{ kind: "assistant", author: "Agent", text: block.text }];
  return block.type === "reasoning" && block.text.trim() !== "" ? [folded("Reasoning", block.text)] : [];
}

function interruption({ data }: SessionEventOf<"assistant/message">): TranscriptItem[] {
  return data.interrupted ? [note("The answer was cut off.")] : [];
}

function resultItem(block: ContentBlock, names: ReadonlyMap<string, string>): TranscriptItem[] {
  if (block.type !== "tool-result") return [];
  const name = names.get(block.toolCallId) ?? "tool";
  return [folded(`${block.isError ? "Failed" : "Result"}: ${name}`, textOf(block.content), block.isError)];
}

function shortened({ data }: SessionEventOf<"tool/result">, names: ReadonlyMap<string, string>): TranscriptItem {
  const [name] = data.message.content.flatMap((block) => (block.type === "tool-result" ? (names.get(block.toolCallId) ?? []) : []));
  return note(`The model sees less of the result of ${name ?? "a tool"} from here on; above it is whole.`);
}

function textOf(content: readonly (ContentBlock | ToolContentBlock)[]): string {
  const parts = content.map((block) => {
    if (block.type === "text") return block.text;
    return block.type === "image" ? `[image${block.name ? ` ${block.name}` : ""}]` : "";
  });
  return parts.filter((part) => part !== "").join("\n");
}
