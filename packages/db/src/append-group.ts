import { AppError, isAppError, type OrgId } from "@gantry/contracts";
import { appendStatement, type Write } from "./append-statement.ts";
import { promptStatements } from "./prompt-changes.ts";
import { tenantQueries } from "./tenant-queries.ts";

/** What one transaction takes at most: sessions, and characters of payloads. A larger batch goes alone. */
const maxWrites = 64;
const maxChars = 256 * 1024;

type Waiting = { readonly write: Write; readonly settle: PromiseWithResolvers<void> };
/** Batches of each org that wait while a group of the same org is being written. */
const groups = new Map<OrgId, Waiting[]>();

/**
 * Commits a batch together with what the org's other sessions have ready at that moment: one group of an org is under way, the next one takes all
 * that gathered meanwhile. A group waits for no lock. What it did not write, for whatever reason, is tried again alone, so a batch
 * has the outcome that it would have had by itself. @throws as `appendEvents`
 */
export function commitTogether(orgId: OrgId, write: Write): Promise<void> {
  const { open = [], close = [] } = write.batch.prompts ?? {};
  if (open.length + close.length > 0) return commitAlone(orgId, write); // those rows are locked by people who answer
  const settle = Promise.withResolvers<void>();
  const queue = groups.get(orgId);
  if (queue) queue.push({ write, settle });
  else {
    groups.set(orgId, [{ write, settle }]);
    queueMicrotask(() => void drain(orgId));
  }
  return settle.promise;
}

/** Never rejects: every failure is told to whoever waits for the batch. */
async function drain(orgId: OrgId): Promise<void> {
  for (let queue = groups.get(orgId); queue && queue.length > 0; queue = groups.get(orgId)) {
    const group = nextGroup(queue);
    groups.set(
      orgId,
      queue.filter((waiting) => !group.includes(waiting)),
    );
    await commitGroup(orgId, group);
  }
  groups.delete(orgId);
}

/** The next batches in order, of different sessions: two of one would follow each other's fence. */
function nextGroup(queue: readonly Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  const sessions = new Set<string>();
  let chars = 0;
  for (const waiting of queue) {
    const { sessionId, payloads } = waiting.write;
    const size = payloads.reduce((sum, text) => sum + text.length, 0);
    if (sessions.has(sessionId) || (group.length > 0 && chars + size > maxChars)) continue;
    sessions.add(sessionId);
    group.push(waiting);
    chars += size;
    if (group.length === maxWrites) break;
  }
  return group;
}

async function commitGroup(orgId: OrgId, group: readonly Waiting[]): Promise<void> {
  let places: ReadonlySet<number> = new Set();
  try {
    const statement = appendStatement(
      orgId,
      group.map(({ write }) => write),
      "passing",
    );
    const [answer] = await tenantQueries<{ place: number }>(orgId, statement);
    places = new Set(answer?.rows.map(({ place }) => place));
  } catch (error) {
    // nothing to gain by asking a database again that does not answer; of any other error only one of them is the cause
    if (isAppError(error, "UNAVAILABLE")) {
      for (const { settle } of group) settle.reject(error);
      return;
    }
  }
  group.forEach(({ write, settle }, index) => {
    if (places.has(index + 1)) settle.resolve();
    else commitAlone(orgId, write).then(settle.resolve, settle.reject); // the next group does not wait for its lock
  });
}

async function commitAlone(orgId: OrgId, write: Write): Promise<void> {
  const { sessionId, batch } = write;
  const { epoch, nextSeq, events } = batch;
  const [written] = await tenantQueries(
    orgId,
    appendStatement(orgId, [write], "waiting"),
    ...promptStatements({ orgId, sessionId, epoch, nextSeq: nextSeq + events.length }, batch.prompts),
  );
  if (written?.rowCount === 0)
    throw new AppError("LEASE_LOST", "Another worker has taken this session over; this one stops without writing.", {
      data: { epoch, nextSeq },
    });
}
