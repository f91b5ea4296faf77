import type { EventData, Message } from "@gantry/contracts";
import { attachedTo, namesOf } from "./attached.ts";
import type { Inbox, PendingMessage } from "./state.ts";

/**
 * Replays one inbox splice (INB-1, INB-3). A removal without an outcome is a claim: the message stays visible as claimed until the log
 * has it. The loaded log may begin after some insertions, so positions are clamped.
 */
export function spliceInbox(inbox: Inbox, splice: EventData<"agent/inbox/spliced">): Inbox {
  const list = inbox[splice.target];
  const start = Math.min(splice.start, list.length);
  const removed = list.slice(start, start + (splice.removedCount ?? 0));
  const inserted = splice.inserted.flatMap((message) => pendingOf(message, splice.target));
  return {
    ...inbox,
    [splice.target]: list.toSpliced(start, removed.length, ...inserted),
    claimed: splice.outcome === "canceled" ? inbox.claimed : [...inbox.claimed, ...removed],
  };
}

/** Takes a message out that the log now holds as `user/message`. */
export function dropLogged(inbox: Inbox, messageId: string): Inbox {
  const without = (list: readonly PendingMessage[]) => list.filter((message) => message.messageId !== messageId);
  return { "next-turn": without(inbox["next-turn"]), "next-step": without(inbox["next-step"]), claimed: without(inbox.claimed) };
}

/** The messages of people that wait, in the order in which they will be taken. */
export const pendingMessages = (inbox: Inbox): PendingMessage[] => [...inbox.claimed, ...inbox["next-step"], ...inbox["next-turn"]];

/** Notes of plugins keep their place in the list (positions count them) but are not shown: their text is empty. */
function pendingOf(message: Message, target: PendingMessage["target"]): PendingMessage[] {
  const fromUser = message.source.kind === "user";
  const author = message.source.kind === "user" ? (message.source.name ?? null) : null;
  return [{ messageId: message.id, text: fromUser ? textOf(message) || namesOf(attachedTo(message).attachments) : "", author, target }];
}

/** What somebody wrote: the text blocks of a message, without those of attached files. */
export const textOf = (message: Message): string =>
  message.content.flatMap((block) => (block.type === "text" && !block.file ? [block.text] : [])).join("\n\n");
