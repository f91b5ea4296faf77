import { pendingCommands } from "@gantry/db";
import type { FeedSubscriber } from "@gantry/feed";
import type { SessionRef } from "./compose.ts";

/** Looks whether a Stop waits, now and at each nudge, while a session is being taken up and no command is consumed yet. */
export function watchForStop(subscriber: FeedSubscriber, { orgId, sessionId }: SessionRef): { stopAsked: AbortSignal; close(): void } {
  const asked = new AbortController();
  const look = () => {
    pendingCommands(orgId, sessionId).then(
      (commands) => {
        if (commands.some(({ payload }) => payload.kind === "cancel")) asked.abort();
      },
      () => {
        // the commands are read again when the session has been taken up
      },
    );
  };
  look();
  const close = subscriber.onNudge((nudge) => {
    if (nudge.orgId === orgId && nudge.sessionId === sessionId) look();
  });
  return { stopAsked: asked.signal, close };
}
