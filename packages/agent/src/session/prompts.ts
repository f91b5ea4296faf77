import { createHash } from "node:crypto";
import { type EventData, isEvent, type Json } from "@gantry/contracts";
import type { SessionLog } from "./log.ts";
import { lastTurn } from "./unresolved-calls.ts";

/** A question to a person, to be stored with the events that ask it. */
export type NewPrompt = {
  readonly id: string;
  readonly kind: "approval" | "question";
  readonly callId: string;
  readonly toolName: string;
  readonly shown: Json;
  readonly binding: string;
  readonly ttlMs: number;
};

/** What an answer holds for: this tool with these arguments in this session, and nothing else (SC-P2). Lower-case hex. */
export function bindingOf(call: { readonly sessionId: string; readonly toolName: string; readonly arguments: string }): string {
  return createHash("sha256")
    .update(JSON.stringify([call.sessionId, call.toolName, call.arguments]))
    .digest("hex");
}

/** The record of a call of the open step; ids may repeat from step to step. */
export function startedCall(log: SessionLog, callId: string): EventData<"tool/call"> | null {
  const found = lastTurn(log.events).findLast(
    (event) => isEvent(event, "tool/call") && event.data.callId === callId && event.data.step === log.step,
  );
  return found && isEvent(found, "tool/call") ? found.data : null;
}

/** Nobody waits for an answer any more: every question of the open turn is decided as cancelled, in the log and for whoever sees it. */
export function withdrawPrompts(log: SessionLog): void {
  for (const id of [...log.open.approvals]) log.append({ type: "approval/decided", data: { id, outcome: "cancelled" } });
  for (const id of [...log.open.questions]) log.append({ type: "question/answered", data: { id, outcome: "cancelled" } });
}
