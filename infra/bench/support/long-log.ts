import type { EventDraft, SessionEvent } from "@gantry/contracts";
import { acquireLease, appendEvents, releaseLease } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { SessionRef } from "./api.ts";

/** Steps of one turn; a real session of this length has some hundred turns. */
const stepsPerTurn = 12;
const batchSize = 1_000;
const user = { kind: "user", userId: "01900000-0000-7000-8000-000000000001", name: "Ada" } as const;

/** Fills an empty session with a log of at least `count` events as turns of tool calls leave it, ready to be continued. */
export async function writeLongLog({ orgId, sessionId }: SessionRef, count: number): Promise<number> {
  const events = makeLongLog(count);
  const lease = await acquireLease(orgId, sessionId, "bench", 60_000);
  if (!lease) throw new Error("the session is held by a worker");
  for (let nextSeq = 0; nextSeq < events.length; nextSeq += batchSize)
    await appendEvents(orgId, sessionId, { epoch: lease.epoch, nextSeq, events: events.slice(nextSeq, nextSeq + batchSize) });
  await releaseLease(orgId, sessionId, lease.epoch);
  return events.length;
}

export function makeLongLog(count: number): SessionEvent[] {
  const events: SessionEvent[] = [];
  const add = (draft: EventDraft) => events.push({ ...draft, seq: events.length, time: Date.now() } as SessionEvent) - 1;
  for (let turn = 1; events.length < count; turn += 1) addTurn(add, turn);
  return events;
}

function addTurn(add: (draft: EventDraft) => number, turn: number): void {
  const message = { id: newId(), role: "user" as const, content: [{ type: "text" as const, text: `Look at part ${turn}.` }], source: user };
  add({ type: "turn/start", data: { turn } });
  for (let step = 1; step <= stepsPerTurn; step += 1) {
    add({ type: "step/start", data: { turn, step } });
    if (step === 1) add({ type: "user/message", surfaceOp: "append", data: message });
    addCall(add, { turn, step });
    add({ type: "step/end", data: { turn, step } });
  }
  add({ type: "turn/end", data: { turn, reason: { kind: "completed" } } });
}

function addCall(add: (draft: EventDraft) => number, at: { turn: number; step: number }): void {
  const callId = `call-${at.turn}-${at.step}`;
  const text = "I look at the next file and compare it with what the test expects of it.";
  const args = JSON.stringify({ file_path: `src/part-${at.turn}/file-${at.step}.ts`, offset: 1, limit: 40 });
  const messageId = newId();
  const chunk = add({ type: "assistant/chunk", data: { ...at, messageId, runs: [{ index: 0, block: "text", offset: 0, text }] } });
  const source = { kind: "model" as const, provider: "model", model: "bench" };
  const call = { type: "tool-call" as const, id: callId, name: "read", arguments: args };
  const message = { id: messageId, role: "assistant" as const, content: [{ type: "text" as const, text }, call], source };
  add({ type: "assistant/message", surfaceOp: "append", sourceEventSeqs: [chunk], data: { ...at, message } });
  const started = add({ type: "tool/call", data: { ...at, callId, name: "read", arguments: args } });
  const lines = { type: "text" as const, text: "export const value = 42; // and some more of the file\n".repeat(4) };
  const content = [{ type: "tool-result" as const, toolCallId: callId, content: [lines], isError: false }];
  const result = { id: newId(), role: "user" as const, content, source: { kind: "tool" as const, callId } };
  add({ type: "tool/result", surfaceOp: "append", sourceEventSeqs: [started], data: { ...at, message: result } });
}
