import { type Message, textsOf } from "@gantry/contracts";

export type DemoResult = { readonly name: string; readonly arguments: string; readonly text: string; readonly isError: boolean };

/** The newest turn as the demo needs it: what was asked, what its own calls of this turn came to, and what happened before. */
export type TurnView = {
  readonly asked: string;
  /** answers with tool calls so far in this turn */
  readonly step: number;
  readonly results: readonly DemoResult[];
  /** an earlier turn came to its closing words */
  readonly toured: boolean;
};

export function viewTurn(messages: readonly Message[]): TurnView {
  const start = messages.findLastIndex((message) => message.role === "user" && message.source.kind === "user");
  const turn = messages.slice(start + 1);
  const before = messages.slice(0, Math.max(0, start));
  return {
    asked: ownWords(messages[start]),
    step: turn.filter((message) => message.role === "assistant" && message.content.some((block) => block.type === "tool-call")).length,
    results: resultsOf(turn),
    toured: before.some((message) => message.role === "assistant" && !message.content.some((block) => block.type === "tool-call")),
  };
}

export function textOf(message: Message | undefined): string {
  return textsOf(message?.content ?? []).join("\n");
}

/** What a person typed, without the files that came along. */
function ownWords(message: Message | undefined): string {
  const typed = (message?.content ?? []).filter((block) => !(block.type === "text" && block.file));
  return textsOf(typed).join("\n");
}

function resultsOf(messages: readonly Message[]): DemoResult[] {
  const calls = new Map<string, { name: string; arguments: string }>();
  const results: DemoResult[] = [];
  for (const block of messages.flatMap((message) => message.content)) {
    if (block.type === "tool-call") calls.set(block.id, block);
    if (block.type !== "tool-result") continue;
    const call = calls.get(block.toolCallId);
    const text = textsOf(block.content).join("\n");
    if (call) results.push({ name: call.name, arguments: call.arguments, text, isError: block.isError });
  }
  return results;
}
