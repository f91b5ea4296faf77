import type { Inbox, PendingMessage } from "./state.ts";

/** A message of a person that waits, and the places of its neighbours in the list; null at an end. */
export type Queued = {
  readonly message: PendingMessage;
  readonly at: number;
  readonly before: number | null;
  readonly after: number | null;
};

/** Notes of plugins keep their place in a list and are not shown, so that a neighbour may be further away than one. */
export function queuedOf(list: Inbox["next-turn"]): Queued[] {
  const shown = list.flatMap((message, at) => (isShown(message) ? [{ message, at }] : []));
  return shown.map((one, nth) => ({ ...one, before: shown[nth - 1]?.at ?? null, after: shown[nth + 1]?.at ?? null }));
}

const isShown = (message: PendingMessage): boolean => message.text !== "";
