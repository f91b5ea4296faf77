import { pendingMessages } from "./inbox.ts";
import type { SessionState } from "./state.ts";

/** Whether the log or the inbox has a message of this id. */
export function hasMessage(state: SessionState, messageId: string): boolean {
  if (pendingMessages(state.inbox).some((message) => message.messageId === messageId)) return true;
  return state.turns.some((turn) => turn.rows.some((row) => row.kind === "prompt" && row.messageId === messageId));
}
