import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { isAppError, type SessionEvent } from "@gantry/contracts";
import { overrideEnv } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { acquireLease, appendEvents, closeDatabase, listOrgIds, readEvents, withOrg } from "../src/index.ts";
import { cuttableProxy } from "./support/cuttable-proxy.ts";

const db = await testDatabase();
const address = new URL(db.env.DATABASE_URL);
const proxy = await cuttableProxy({ host: address.hostname, port: Number(address.port) });
address.host = `127.0.0.1:${proxy.port}`;
await closeDatabase();
overrideEnv({ DATABASE_URL: address.href });
after(() => proxy.close());

const unavailable = (error: unknown): boolean => isAppError(error, "UNAVAILABLE") && error.cause instanceof Error;
const turn = (seq: number): SessionEvent => ({ type: "turn/start", seq, time: 1, data: { turn: seq + 1 } });

describe("Postgres is away", () => {
  test("every way in says UNAVAILABLE with its cause, and works again afterwards with nothing half-written", {
    timeout: 120_000,
  }, async () => {
    const { orgId, sessionId } = await db.createTenant();
    await acquireLease(orgId, sessionId, "w", 30_000);
    await appendEvents(orgId, sessionId, { epoch: 1, nextSeq: 0, events: [turn(0)] });

    proxy.cut();
    const calls = [
      () => appendEvents(orgId, sessionId, { epoch: 1, nextSeq: 1, events: [turn(1)] }),
      () => readEvents(orgId, sessionId),
      () => withOrg(orgId, (tx) => tx.session.count()),
      () => listOrgIds(),
    ];
    for (let round = 0; round < 2; round++) for (const call of calls) await assert.rejects(call(), unavailable, String(call));

    proxy.heal();
    await appendEvents(orgId, sessionId, { epoch: 1, nextSeq: 1, events: [turn(1)] });
    assert.deepEqual(await readEvents(orgId, sessionId), [turn(0), turn(1)]);
    assert.equal(await withOrg(orgId, (tx) => tx.session.count()), 1);
  });

  test("a connection that breaks in the middle of a transaction says UNAVAILABLE, and nothing of it stays", {
    timeout: 120_000,
  }, async () => {
    const { orgId, workspaceId } = await db.createTenant();
    const half = withOrg(orgId, async (tx) => {
      await tx.workspace.update({ where: { id: workspaceId }, data: { name: "half" } });
      proxy.cut();
      await tx.workspace.update({ where: { id: workspaceId }, data: { name: "whole" } });
    });
    await assert.rejects(half, unavailable);
    proxy.heal();
    const { name } = await withOrg(orgId, (tx) => tx.workspace.findUniqueOrThrow({ where: { id: workspaceId } }));
    assert.notEqual(name, "half");
  });

  test("an answer we dislike is no outage: a broken rule keeps its own error", async () => {
    const { orgId, workspaceId } = await db.createTenant();
    await assert.rejects(
      withOrg(orgId, (tx) => tx.workspace.update({ where: { id: workspaceId }, data: { id: "not-a-uuid" } })),
      (error) => !isAppError(error),
    );
    await assert.rejects(
      withOrg(orgId, async () => {
        throw new Error("the work itself failed");
      }),
      /the work itself failed/,
    );
  });
});
