import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acquireLease, appendEvents, readEvents } from "@gantry/db";
import { testDatabase } from "@gantry/testing/db";
import { buildLog, stepStart, streams, turnStart } from "@gantry/testing/log-builder";
import { pruneLog } from "../src/cli/prune-log.ts";

const db = await testDatabase();

async function start() {
  const tenant = await db.createTenant();
  const lease = await acquireLease(tenant.orgId, tenant.sessionId, "w", 30_000);
  const events = buildLog(turnStart(), stepStart(), streams("from 1970"));
  await appendEvents(tenant.orgId, tenant.sessionId, { epoch: lease?.epoch ?? 0, nextSeq: 0, events });
  const lastRuns = async () => {
    const last = (await readEvents(tenant.orgId, tenant.sessionId)).at(-1);
    return last?.type === "assistant/chunk" ? last.data.runs.length : null;
  };
  return { ...tenant, lastRuns };
}

describe("gantry log prune-chunks", () => {
  test("SES-33 one organisation, then all of them", async () => {
    const [a, b] = [await start(), await start()];
    assert.equal(await pruneLog(["prune-chunks", "--org", a.slug]), `${a.orgId}: 9 characters of 1 events in 1 sessions\n`);
    assert.deepEqual([await a.lastRuns(), await b.lastRuns()], [0, 1]);
    assert.equal(await pruneLog(["prune-chunks", "--days", "7"]), `${b.orgId}: 9 characters of 1 events in 1 sessions\n`);
    assert.equal(await pruneLog(["prune-chunks"]), "Nothing was old enough.\n");
  });

  test("what cannot be understood is refused with how it is used", async () => {
    for (const args of [[], ["prune"], ["prune-chunks", "--days", "0"], ["prune-chunks", "--days", "x"], ["prune-chunks", "--all"]])
      await assert.rejects(pruneLog(args), /log prune-chunks/);
    await assert.rejects(pruneLog(["prune-chunks", "--org", "nobody"]), { code: "NOT_FOUND" });
  });
});
