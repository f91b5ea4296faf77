import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { foldUnits, type OrgId, type SessionEvent, sessionUnits } from "@gantry/contracts";
import { testDatabase } from "@gantry/testing/db";
import { answers, buildLog, stepEnd, stepStart, streams, turnEnd, turnStart } from "@gantry/testing/log-builder";
import { acquireLease, appendEvents, readEvents, withOrg } from "../src/index.ts";
import { connectOwner } from "../src/owner.ts";
import { pruneChunks } from "../src/prune-chunks.ts";

const db = await testDatabase();
const day = 86_400_000;
const now = 100 * day;
const quoted = 'says "pruned": and \u0000';

/** As the command does it: on the owner's connection, at day 100. */
async function prune(orgId: OrgId, olderThanDays?: number) {
  const owner = await connectOwner();
  try {
    return await pruneChunks(owner, orgId, { now, ...(olderThanDays !== undefined && { olderThanDays }) });
  } finally {
    await owner.close();
  }
}

async function start() {
  const tenant = await db.createTenant();
  const { orgId, sessionId } = tenant;
  const quoting = streams(quoted, 2);
  const log: SessionEvent[] = [
    ...buildLog(
      turnStart(),
      stepStart(),
      streams("do"),
      5,
      quoting,
      10,
      answers({ inputTokens: 1, outputTokens: 2 }),
      stepEnd(),
      turnEnd(),
    ),
    { ...buildLog(streams("young"))[0], seq: 7, time: now - 29 * day } as SessionEvent,
  ];
  const lease = await acquireLease(orgId, sessionId, "w", 30_000);
  await appendEvents(orgId, sessionId, { epoch: lease?.epoch ?? 0, nextSeq: 0, events: log });
  return { ...tenant, log };
}

describe("deltas after their time", () => {
  test("SES-33 old ones give up their text and keep their place; everything else stays as it was", async () => {
    const { orgId, sessionId, log } = await start();
    assert.deepEqual(await prune(orgId), { sessions: 1, events: 2, chars: 2 + quoted.length });
    const left = await readEvents(orgId, sessionId);
    const changed = left.flatMap((item, seq) => (isDeepStrictEqual(item, log[seq]) ? [] : [item]));
    assert.deepEqual(
      changed.map(({ seq, time, data }) => [seq, time, data]),
      [2, 3].map((seq) => [
        seq,
        log[seq]?.time,
        { turn: 1, step: 1, messageId: "a-1", runs: [], pruned: { runs: 1, chars: seq === 2 ? 2 : quoted.length } },
      ]),
    );
    assert.deepEqual(foldUnits(sessionUnits, left), foldUnits(sessionUnits, log), "no reading changes");
  });

  test("SES-33 a repeat finds nothing more; another organisation's log is not touched", async () => {
    const [mine, other] = [await start(), await start()];
    await prune(mine.orgId);
    assert.deepEqual(await prune(mine.orgId), { sessions: 0, events: 0, chars: 0 });
    assert.deepEqual(await readEvents(other.orgId, other.sessionId), other.log);
    assert.equal((await prune(mine.orgId, 28)).events, 1);
  });

  test("the serving role cannot change the log", async () => {
    const { orgId } = await start();
    await assert.rejects(
      withOrg(orgId, (tx) => tx.$executeRaw`UPDATE session_events SET data = '{}'`),
      /permission denied/,
    );
  });
});
