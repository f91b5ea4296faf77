import type { EventDraft, Message, SessionEvent } from "@gantry/contracts";
import { type LogBatch, SessionLog } from "../../src/session/log.ts";

export type Events = readonly SessionEvent[];

/** A log over an in-memory writer that the test can hold back or fail. */
export function testLog(
  options: { events?: Events; write?: (batch: LogBatch) => Promise<void>; onAppend?: (event: SessionEvent) => void } = {},
) {
  const batches: LogBatch[] = [];
  const committed: SessionEvent[] = [];
  let fenced = 0;
  const log = new SessionLog({
    events: options.events ?? [],
    write: async (batch) => {
      await options.write?.(batch);
      batches.push(batch);
    },
    onCommitted: (events) => committed.push(...events),
    onFenced: () => {
      fenced += 1;
    },
    ...(options.onAppend ? { onAppend: options.onAppend } : {}),
  });
  return { log, batches, committed, fenced: () => fenced };
}

export const userMessage = (id: string, text = id): Message => ({
  id,
  role: "user",
  content: [{ type: "text", text }],
  source: { kind: "user" },
});

export const draft = {
  turnStart: (turn: number): EventDraft => ({ type: "turn/start", data: { turn } }),
  turnEnd: (turn: number): EventDraft => ({ type: "turn/end", data: { turn, reason: { kind: "completed" } } }),
  stepStart: (turn: number, step: number): EventDraft => ({ type: "step/start", data: { turn, step } }),
  stepEnd: (turn: number, step: number): EventDraft => ({ type: "step/end", data: { turn, step } }),
  user: (id: string, text?: string): EventDraft => ({ type: "user/message", surfaceOp: "append", data: userMessage(id, text) }),
  title: (title: string): EventDraft => ({ type: "session/title", data: { title, messageSeqs: [], source: { kind: "user" } } }),
  insert: (message: Message, target: "next-turn" | "next-step" = "next-turn"): EventDraft => ({
    type: "agent/inbox/spliced",
    data: { target, start: 0, inserted: [message] },
  }),
  claim: (target: "next-turn" | "next-step" = "next-turn"): EventDraft => ({
    type: "agent/inbox/spliced",
    data: { target, start: 0, removedCount: 1, inserted: [] },
  }),
  assistant: (turn: number, step: number, calls: { id: string; name: string }[], text = ""): EventDraft => ({
    type: "assistant/message",
    surfaceOp: "append",
    sourceEventSeqs: [],
    data: {
      turn,
      step,
      message: {
        id: `answer-${turn}-${step}`,
        role: "assistant",
        content: [
          ...(text ? [{ type: "text" as const, text }] : []),
          ...calls.map((call) => ({ type: "tool-call" as const, ...call, arguments: "{}" })),
        ],
        source: { kind: "model", provider: "test", model: "test" },
      },
    },
  }),
  call: (turn: number, step: number, callId: string, name = "bash"): EventDraft => ({
    type: "tool/call",
    data: { turn, step, callId, name, arguments: "{}" },
  }),
  result: (turn: number, step: number, callId: string, code?: string): EventDraft => ({
    type: "tool/result",
    surfaceOp: "append",
    data: {
      turn,
      step,
      message: {
        id: `result-${callId}`,
        role: "user",
        content: [{ type: "tool-result", toolCallId: callId, content: [{ type: "text", text: "ok" }], isError: code !== undefined }],
        source: { kind: "tool", callId },
      },
      ...(code ? { error: { name: "Error", code } } : {}),
    },
  }),
};

/** The events of a log that took all these drafts; one that stood in another log gets its place and time anew. */
export function logOf(...drafts: (EventDraft | SessionEvent)[]): Events {
  const { log } = testLog();
  for (const { seq: _seq, time: _time, ...item } of drafts as SessionEvent[]) log.append(item as EventDraft);
  return log.events;
}
