import assert from "node:assert/strict";
import type { OrgId, SessionEvent, SessionId } from "@gantry/contracts";
import { acquireLease, appendEvents } from "@gantry/db";
import type { FeedPublisher } from "@gantry/feed";

/** Plays the worker: appends to a session's log, and tells the feed or keeps silent. */
export type SessionWriter = {
  readonly log: SessionEvent[];
  /** Appends `count` events in one commit; `announce` picks those that the feed carries, in the order in which it carries them. */
  append(count: number, announce?: (events: SessionEvent[]) => SessionEvent[]): Promise<void>;
  delta(text: string, offset: number): void;
};

export async function openWriter(
  publisher: FeedPublisher,
  { orgId, sessionId }: { orgId: OrgId; sessionId: SessionId },
): Promise<SessionWriter> {
  const lease = await acquireLease(orgId, sessionId, "worker-1", 600_000);
  assert.ok(lease);
  const { epoch } = lease;
  const log: SessionEvent[] = [];
  return {
    log,
    async append(count, announce = (events) => events) {
      const events = Array.from({ length: count }, (_, index) => turnStart(log.length + index));
      await appendEvents(orgId, sessionId, { epoch, nextSeq: log.length, events });
      log.push(...events);
      for (const event of announce(events)) publisher.publish(orgId, sessionId, { kind: "event", event });
    },
    delta(text, offset) {
      const run = { index: 0, block: "text", offset, text } as const;
      publisher.publish(orgId, sessionId, { kind: "delta", epoch, turn: 1, step: 1, messageId: "m1", run });
    },
  };
}

function turnStart(seq: number): SessionEvent {
  return { type: "turn/start", seq, time: 1_700_000_000_000 + seq, data: { turn: seq + 1 } };
}
