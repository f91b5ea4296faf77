import type { SessionEvent } from "@gantry/contracts";
import { acquireLease, appendEvents } from "@gantry/db";
import type { Tenant } from "@gantry/testing/db-factories";
import type { TestDeps } from "@gantry/testing/service-deps";

/** Plays the worker of one session: stored events, told to the feed after their commit, and deltas of a message. */
export async function openSessionLog({ publisher }: TestDeps, { orgId, sessionId }: Tenant) {
  const lease = await acquireLease(orgId, sessionId, "worker-1", 600_000);
  if (!lease) throw new Error("somebody holds the session");
  const { epoch } = lease;
  let length = 0;
  let offset = 0;
  return {
    get length() {
      return length;
    },
    async append(count: number): Promise<void> {
      const events = Array.from({ length: count }, (_, index): SessionEvent => {
        const seq = length + index;
        return { type: "turn/start", seq, time: 1_700_000_000_000 + seq, data: { turn: seq + 1 } };
      });
      await appendEvents(orgId, sessionId, { epoch, nextSeq: length, events });
      length += count;
      for (const event of events) publisher.publish(orgId, sessionId, { kind: "event", event });
    },
    delta(text: string): void {
      const run = { index: 0, block: "text", offset, text } as const;
      offset += text.length;
      publisher.publish(orgId, sessionId, { kind: "delta", epoch, turn: 1, step: 1, messageId: "m1", run });
    },
  };
}
