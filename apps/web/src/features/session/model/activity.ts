import type { Activity } from "@gantry/contracts";
import { genericCall } from "./generic-card.ts";
import { openTurn, type SessionState } from "./state.ts";

/** What the chip may say: the worker's word, or that a person is waited for, which the log alone tells. */
export type ShownActivity = Activity | { readonly kind: "waiting-person"; readonly since: number };

/** What the session does now: what the worker says, or what the log shows when nobody says anything (after a reload or a restart). */
export function activityOf(state: SessionState): ShownActivity {
  const told = state.activity;
  const turn = openTurn(state);
  const [ask] = state.asks;
  if (ask) return told?.kind === "stopping" ? told : { kind: "waiting-person", since: ask.since };
  if (!turn) return told && told.kind === "starting-sandbox" ? told : { kind: "idle", since: told?.since ?? 0 };
  const retry = turn.rows.at(-1);
  // only the log tells of the pause before a retry
  if (retry?.kind === "retry" && retry.state === "waiting" && told?.kind !== "stopping") {
    const { retry: n, maxRetries, untilTime } = retry;
    return { kind: "retrying", since: turn.startedAt ?? 0, retry: n, maxRetries: maxRetries ?? n, untilTime };
  }
  if (told && told.kind !== "idle") return told;
  const since = turn.startedAt ?? 0;
  const running = turn.rows.findLast((row) => row.kind === "tool" && row.state === "running");
  if (running?.kind === "tool")
    return {
      kind: "running-tool",
      since: running.startedAt ?? since,
      callId: running.callId,
      name: running.name,
      label: genericCall(running.name, running.arguments).title,
    };
  return state.drafts.length > 0 ? { kind: "streaming", since } : { kind: "waiting-model", since };
}

/**
 * Whether what waits is left alone: the last turn was stopped or failed, and nothing is taken up before somebody sends or steers (LOP-5).
 * After an interruption the session goes on by itself.
 */
export function isParked(state: SessionState): boolean {
  const reason = state.turns.at(-1)?.reason;
  const waits = [...state.inbox["next-step"], ...state.inbox["next-turn"]].some(({ text }) => text !== "");
  return waits && reason != null && reason.kind !== "completed" && reason.kind !== "interrupted";
}

/** Whether a turn is open: the session works, and Stop means something. */
export const isWorking = (state: SessionState): boolean => openTurn(state) !== null;

/** Whether the last turn ended because the provider asked to wait: the session may go on by itself. */
export function isSentAway(state: SessionState): boolean {
  const end = state.log.findLast((event) => event.type === "turn/end");
  return end?.type === "turn/end" && end.data.reason.kind === "error" && end.data.reason.error.providerRetryAfterMs !== undefined;
}
