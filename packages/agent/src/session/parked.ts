import { isEvent, type LlmFailure, type Message, type SessionEvent } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Agent } from "../loop/agent.ts";

/** The last turn was sent away by the provider, and until when. Null: it ended otherwise, or a turn is open. */
function sentAway({ log }: Agent): LlmFailure | null {
  const reason = log.turn > 0 ? null : log.last("turn/end")?.data.reason;
  return reason?.kind === "error" && reason.error.providerRetryAfterMs !== undefined ? reason.error : null;
}

/** Has the session go on by itself after the time for which the provider sent its turn away (CP-56). The time is kept with the session's row, so no worker holds it meanwhile. */
export function park({ log }: Agent, { failure, waitMs }: { failure: LlmFailure; waitMs: number }): void {
  log.show({ wakeInMs: waitMs, problem: `${failure.message} The session goes on by itself when that time is over.` });
}

/** A person pressed Stop while the session waits for its time. */
export function unpark(agent: Agent): void {
  const failure = sentAway(agent);
  if (failure) agent.log.show({ wakeInMs: null, problem: failure.message });
}

/** How many turns at the end of the log were sent away in a row since a person last wrote, or since a model last answered. */
export function turnsSentAway(events: readonly SessionEvent[]): number {
  let count = 0;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index] as SessionEvent;
    if (isEvent(event, "assistant/message") || (isEvent(event, "user/message") && event.data.source.kind === "user")) break;
    if (!isEvent(event, "turn/end")) continue;
    if (event.data.reason.kind !== "error" || event.data.reason.error.providerRetryAfterMs === undefined) break;
    count += 1;
  }
  return count;
}

/** What the turn begins with that takes a sent-away one up again; null where there is none (any more). */
export function resumption(agent: Agent): Message | null {
  if (!sentAway(agent)) return null;
  const text =
    "The model's provider had asked to wait, which cut the previous turn off, and that time is over. Everything up to that point is above. Go on with the work from there.";
  const source = { kind: "plugin", plugin: "llm-retry", form: "notice", summary: "Continued after the provider's wait" } as const;
  return { id: newId(), role: "user", content: [{ type: "text", text }], source };
}
