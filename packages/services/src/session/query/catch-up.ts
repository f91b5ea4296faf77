import { type OrgId, queryError, type SessionId, type WorkspaceId } from "@gantry/contracts";
import { indexTexts, unindexedSessions } from "@gantry/db";

/** How much a search does for the index before it answers, in milliseconds and sessions; what is left over is done by the next ones. */
const patienceMs = 5_000;
const sessionsAtOnce = 500;

/** Takes a session's whole log into the search texts; a worker may call it after a turn, a search does it for itself. @throws INDEX_FAILED */
export async function indexSession(orgId: OrgId, sessionId: SessionId, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if ((await indexNext(orgId, sessionId)).isComplete) return;
  }
}

/** Brings the index up to the logs, last active sessions first, as far as a search can wait for it. False: some are still behind. */
export async function catchUp(orgId: OrgId, workspaceId: WorkspaceId | null, signal?: AbortSignal): Promise<boolean> {
  const until = performance.now() + patienceMs;
  const behind = await unindexedSessions(orgId, workspaceId, sessionsAtOnce);
  for (const sessionId of behind) {
    for (;;) {
      signal?.throwIfAborted();
      if (performance.now() > until) return false;
      if ((await indexNext(orgId, sessionId)).isComplete) break;
    }
  }
  return behind.length < sessionsAtOnce;
}

async function indexNext(orgId: OrgId, sessionId: SessionId): Promise<{ isComplete: boolean }> {
  try {
    return await indexTexts(orgId, sessionId);
  } catch (cause) {
    throw queryError("INDEX_FAILED", "The search index could not be brought up to date. Try again.", { cause });
  }
}
