import { pendingMessages } from "./inbox.ts";
import type { SessionState } from "./state.ts";

type Wanted = { readonly messageId: string | null; readonly text: string };

/** Whether the log or the inbox has a message: by its id, or by its text while nobody has told the id (the first prompt of a session). */
export function hasMessage(state: SessionState, { messageId, text }: Wanted): boolean {
  const isIt = (message: { messageId: string; text: string }) =>
    messageId === null ? message.text === text : message.messageId === messageId;
  if (pendingMessages(state.inbox).some(isIt)) return true;
  return state.turns.some((turn) => turn.rows.some((row) => row.kind === "prompt" && isIt(row)));
}
