import { namesOf } from "./model/attached.ts";

/** A message on its way: kept with its text until the log or the inbox has it. */
export type Outgoing = {
  readonly clientKey: string;
  readonly text: string;
  /** files that the session has already */
  readonly attachments?: readonly { readonly attachmentId: string; readonly name: string }[];
  readonly target: "next-turn" | "next-step";
  readonly state: "sending" | "sent" | "failed";
  /** known once the server has taken it */
  readonly messageId: string | null;
  readonly why: string | null;
};

/** What stands in a list for a message, also for one without words. */
export const shownText = ({ text, attachments }: Outgoing): string => text || namesOf(attachments);

/** A key of its own for each thing a person asks for; a repeat with the same key is the same request. */
export const newClientKey = (): string => `web-${crypto.randomUUID()}`;

const storageKey = (sessionId: string): string => `gantry-outbox-${sessionId}`;

/** Undelivered messages survive a reload of the tab. */
export function loadOutbox(sessionId: string): Outgoing[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey(sessionId)) ?? "[]") as Outgoing[];
    return stored.map((message) => (message.state === "sending" ? { ...message, state: "failed" } : message));
  } catch {
    return []; // unreadable storage holds nothing worth an error
  }
}

/** Notes the first prompt of a session just created, so that its page shows it before a worker has logged it. */
export function noteFirstPrompt(
  sessionId: string,
  message: Pick<Outgoing, "clientKey" | "text" | "messageId"> & Partial<Pick<Outgoing, "attachments">>,
): void {
  saveOutbox(sessionId, [{ ...message, target: "next-turn", state: "sent", why: null }]);
}

export function saveOutbox(sessionId: string, messages: readonly Outgoing[]): void {
  try {
    if (messages.length === 0) sessionStorage.removeItem(storageKey(sessionId));
    else sessionStorage.setItem(storageKey(sessionId), JSON.stringify(messages));
  } catch {
    // storage may be full or switched off: the message is still on the screen
  }
}
