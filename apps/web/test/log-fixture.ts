import type { ChunkRun, DeltaFrame, EventDraft, SessionEvent, StreamBatch } from "@gantry/contracts";

/** A small generator with a seed, so that a failing cut can be repeated. */
export function seeded(seed: number): (below: number) => number {
  let x = seed >>> 0 || 1;
  return (below) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return Math.floor((x / 2 ** 32) * below);
  };
}

const model = { kind: "model", provider: "demo", model: "scripted" } as const;
const place = (turn: number, step: number) => ({ turn, step });

/** A frame of the feed as a worker sends it: a stored event, or a delta before its text is stored. */
export type Frame = { event: SessionEvent } | { delta: DeltaFrame };

/**
 * A session as a worker would write and publish it: prompts, reasoning, streamed text, tool calls, a retry, a steer, a stop in the middle
 * of a message. Deltas go out before the chunk row that stores them.
 */
export function scriptedFrames(turns: number, pick: (below: number) => number): Frame[] {
  const frames: Frame[] = [];
  let seq = 0;
  const put = (draft: EventDraft) => frames.push({ event: { ...draft, seq: seq++, time: 1_000_000 + seq * 10 } as SessionEvent });
  const stream = (
    turn: number,
    step: number,
    messageId: string,
    index: number,
    block: ChunkRun["block"],
    text: string,
    call?: [string, string],
  ) => {
    for (let offset = 0; offset < text.length; ) {
      const end = Math.min(text.length, offset + 5 + pick(40));
      const run: ChunkRun = { index, block, offset, text: text.slice(offset, end), ...(call && { callId: call[0], name: call[1] }) };
      for (let at = 0; at < run.text.length; at += 7) {
        const piece = { ...run, offset: offset + at, text: run.text.slice(at, at + 7) };
        frames.push({ delta: { kind: "delta", epoch: 1, turn, step, messageId, run: piece } });
      }
      put({ type: "assistant/chunk", data: { turn, step, messageId, runs: [run] } });
      offset = end;
    }
  };
  for (let turn = 1; turn <= turns; turn++) {
    const prompt = {
      id: `u${turn}`,
      role: "user" as const,
      content: [{ type: "text" as const, text: `prompt ${turn}` }],
      source: { kind: "user" as const, name: "Ada" },
    };
    put({ type: "agent/inbox/spliced", data: { target: "next-turn", start: 0, inserted: [prompt] } });
    put({ type: "turn/start", data: { turn } });
    put({ type: "agent/inbox/spliced", data: { target: "next-turn", start: 0, removedCount: 1, inserted: [] } });
    const steps = 1 + pick(3);
    for (let step = 1; step <= steps; step++) {
      put({ type: "step/start", data: place(turn, step) });
      if (step === 1) put({ type: "user/message", data: prompt, surfaceOp: "append" });
      const reasoning = `thinking about ${turn}.${step} `.repeat(1 + pick(4));
      const text = `Answer **${turn}.${step}** with words. `.repeat(1 + pick(8));
      if (pick(4) === 0) {
        stream(turn, step, `a${turn}.${step}.failed`, 0, "text", "half an attempt that fails");
        const failure = { message: "rate limited", code: "RATE_LIMIT", status: 429 };
        put({
          type: "llm/retry",
          data: { ...place(turn, step), retryId: `r${turn}.${step}`, provider: "demo", retry: 1, maxRetries: 5, delayMs: 50, failure },
        });
        put({ type: "llm/retry-started", data: { ...place(turn, step), retryId: `r${turn}.${step}`, retry: 1 } });
      }
      const id = `a${turn}.${step}`;
      stream(turn, step, id, 0, "reasoning", reasoning);
      stream(turn, step, id, 1, "text", text);
      const last = step === steps;
      const isCut = last && pick(4) === 0;
      const callId = "call_0";
      const args = JSON.stringify({ command: `echo ${turn}`, description: "say it" });
      if (!last) stream(turn, step, id, 2, "tool-call", args, [callId, "bash"]);
      if (isCut && pick(2) === 0) {
        const run: ChunkRun = { index: 1, block: "text", offset: text.length, text: "live text that no log ever held" };
        frames.push({ delta: { kind: "delta", epoch: 1, turn, step, messageId: id, run } });
        put({ type: "step/end", data: place(turn, step) });
        put({ type: "turn/end", data: { turn, reason: { kind: "interrupted" } } });
        continue;
      }
      const content = [
        { type: "reasoning" as const, text: reasoning },
        { type: "text" as const, text },
      ];
      const calls = last ? [] : [{ type: "tool-call" as const, id: callId, name: "bash", arguments: args }];
      const message = { id, role: "assistant" as const, content: [...content, ...calls], source: model };
      put({
        type: "assistant/message",
        data: { ...place(turn, step), message, ...(isCut && { interrupted: true as const }) },
        surfaceOp: "append",
      });
      if (!last) {
        put({ type: "tool/call", data: { ...place(turn, step), callId, name: "bash", arguments: args } });
        if (pick(3) === 0) put({ type: "todo/write", data: { todos: [{ content: `item ${turn}.${step}`, status: "in_progress" }] } });
        const result = {
          type: "tool-result" as const,
          toolCallId: callId,
          content: [{ type: "text" as const, text: `${turn}\n` }],
          isError: pick(5) === 0,
        };
        put({
          type: "tool/result",
          data: {
            ...place(turn, step),
            message: { id: `t${turn}.${step}`, role: "user", content: [result], source: { kind: "tool", callId } },
          },
          surfaceOp: "append",
        });
      }
      put({ type: "step/end", data: place(turn, step) });
      if (last) put({ type: "turn/end", data: { turn, reason: isCut ? { kind: "aborted", reason: "user" } : { kind: "completed" } } });
    }
  }
  return frames;
}

export const eventsOf = (frames: readonly Frame[]): SessionEvent[] => frames.flatMap((frame) => ("event" in frame ? [frame.event] : []));
export const batchOf = (frames: readonly Frame[]): StreamBatch => ({
  events: eventsOf(frames),
  deltas: frames.flatMap((frame) => ("delta" in frame ? [frame.delta] : [])),
});
