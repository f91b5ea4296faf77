import assert from "node:assert/strict";
import type { EventDraft, OrgId, SessionEvent, SessionId } from "@gantry/contracts";
import { acquireLease, appendEvents, readEvents, releaseLease, type SessionPatch } from "@gantry/db";
import { buildLog } from "@gantry/testing/log-builder";

/** Appends to a session as its worker would; numbers among the parts move the clock. Answers with the events as stored. */
export async function writeLog(
  { orgId, sessionId }: { orgId: OrgId; sessionId: SessionId },
  parts: readonly (EventDraft | number)[],
  patch: SessionPatch = {},
): Promise<SessionEvent[]> {
  const lease = await acquireLease(orgId, sessionId, "log-writer", 600_000);
  assert.ok(lease);
  const { epoch, nextSeq } = lease;
  const events = buildLog(...parts).map((event) => ({ ...event, seq: nextSeq + event.seq }));
  await appendEvents(orgId, sessionId, { epoch, nextSeq, events, patch });
  await releaseLease(orgId, sessionId, epoch);
  return readEvents(orgId, sessionId, { from: nextSeq });
}
