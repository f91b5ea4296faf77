import { createHash } from "node:crypto";
import { type EventData, isEvent, type Json, type SessionEvent } from "@gantry/contracts";
import type { SessionLog } from "./log.ts";

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

/** The arguments of a call of the open step as the model wrote them. */
export function argumentsOf(log: SessionLog, callId: string): string | null {
  const found = openStep(log).findLast((event) => isEvent(event, "tool/call") && event.data.callId === callId);
  return found && isEvent(found, "tool/call") ? found.data.arguments : null;
}

type Asked<K extends "approval" | "question"> = K extends "approval"
  ? { readonly asked: EventData<"approval/asked">; readonly answer: EventData<"approval/decided"> | null }
  : { readonly asked: EventData<"question/asked">; readonly answer: EventData<"question/answered"> | null };
const events = { approval: ["approval/asked", "approval/decided"], question: ["question/asked", "question/answered"] } as const;

/** What a call of the open step has asked a person, and what became of it; null when it has not asked. */
export function askedBy<K extends "approval" | "question">(log: SessionLog, callId: string, kind: K): Asked<K> | null {
  const [asking, answering] = events[kind];
  const step = openStep(log);
  const asked = step.findLast((event) => event.type === asking && "callId" in event.data && event.data.callId === callId);
  if (!asked) return null;
  const { id } = asked.data as { id: string };
  const answer = step.findLast((event) => event.type === answering && "id" in event.data && event.data.id === id);
  return { asked: asked.data, answer: answer?.data ?? null } as Asked<K>;
}

/** Ids of calls may repeat from step to step, so nothing before this one counts. */
function openStep({ events: all, step }: SessionLog): readonly SessionEvent[] {
  return step === 0 ? [] : all.slice(all.findLastIndex((event) => isEvent(event, "step/start")));
}

/** Nobody waits for an answer any more: every question of the open turn is decided as cancelled, in the log and for whoever sees it. */
export function withdrawPrompts(log: SessionLog): void {
  for (const id of [...log.open.approvals]) log.append({ type: "approval/decided", data: { id, outcome: "cancelled" } });
  for (const id of [...log.open.questions]) log.append({ type: "question/answered", data: { id, outcome: "cancelled" } });
}
