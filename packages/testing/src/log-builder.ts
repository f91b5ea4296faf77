import type { EventData, EventDraft, EventType, Message, SessionEvent, Usage } from "@gantry/contracts";

/** Builds logs for folds: each call adds an event, a number moves the clock on by so many milliseconds. */
export function buildLog(...parts: readonly (EventDraft | number)[]): SessionEvent[] {
  const log: SessionEvent[] = [];
  let time = 1_000;
  for (const part of parts) {
    if (typeof part === "number") time += part;
    else log.push({ ...part, seq: log.length, time } as SessionEvent);
  }
  return log;
}

export const event = <T extends EventType>(type: T, data: EventData<T>): EventDraft => ({ type, data }) as unknown as EventDraft;
const at = { turn: 1, step: 1 };

export const says = (text: string, source: Message["source"] = { kind: "user", name: "Ada" }): EventDraft => ({
  ...event("user/message", { id: `u-${text.length}`, role: "user", content: [{ type: "text", text }], source }),
  surfaceOp: "append",
});
export const answers = (usage?: Usage, { model = "deepseek-chat", text = "done", place = at, interrupted = false } = {}): EventDraft => ({
  ...event("assistant/message", {
    ...place,
    message: {
      id: "a-1",
      role: "assistant",
      content: text ? [{ type: "text", text }] : [],
      source: { kind: "model", provider: "p", model },
    },
    ...(usage && { usage }),
    ...(interrupted && { interrupted: true as const }),
  }),
  surfaceOp: "append",
});
export const streams = (text: string, offset = 0): EventDraft =>
  event("assistant/chunk", { ...at, messageId: "a-1", runs: [{ index: 0, block: "text", offset, text }] });
export const calls = (callId: string): EventDraft => event("tool/call", { ...at, callId, name: "bash", arguments: "{}" });
export const results = (toolCallId: string): EventDraft => ({
  ...event("tool/result", {
    ...at,
    message: {
      id: `r-${toolCallId}`,
      role: "user",
      content: [{ type: "tool-result", toolCallId, content: [{ type: "text", text: "out" }], isError: false }],
      source: { kind: "tool", callId: toolCallId },
    },
  }),
  surfaceOp: "append",
});
export const turnStart = (turn = 1): EventDraft => event("turn/start", { turn });
export const turnEnd = (turn = 1, reason: EventData<"turn/end">["reason"] = { kind: "completed" }): EventDraft =>
  event("turn/end", { turn, reason });
export const stepStart = (turn = 1, step = 1): EventDraft => event("step/start", { turn, step });
export const stepEnd = (turn = 1, step = 1): EventDraft => event("step/end", { turn, step });
