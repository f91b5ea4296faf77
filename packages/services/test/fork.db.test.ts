import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ForkSession, SessionId } from "@gantry/contracts";
import { readEvents, readSessionStart, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { answers, calls, event, results, says, stepEnd, stepStart, streams, turnEnd, turnStart } from "@gantry/testing/log-builder";
import { forkSession } from "../src/session/fork/fork-session.ts";
import { getProjections } from "../src/session/projections/get-projections.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();
const titled = (title: string) => event("session/title", { title, messageSeqs: [], source: { kind: "user" } });
const turn = [turnStart(), stepStart(), says("hi \u0000 there"), streams("x"), answers(), calls("a"), results("a"), stepEnd(), turnEnd()];

async function start(...more: Parameters<typeof writeLog>[1]) {
  const tenant = await world.createTenant();
  const log = await writeLog(tenant, [...turn, titled("One"), ...more], { title: "Last" });
  const ctx = world.contextOf(tenant);
  const fork = async (input: Partial<ForkSession> = {}) =>
    (await forkSession(ctx, { org: tenant.slug, sessionId: tenant.sessionId, clientKey: newId(), ...input })).sessionId;
  const header = (id: SessionId) => withOrg(tenant.orgId, (tx) => tx.session.findUniqueOrThrow({ where: { id } }));
  return { tenant, log, ctx, fork, header };
}

describe("forks", () => {
  test("SES-23 the prefix is copied byte for byte and sealed; header, readings and source are as they should be", async () => {
    const { tenant, log, fork, header } = await start(titled("Two"));
    const before = await header(tenant.sessionId);
    const id = await fork({ boundarySeq: 9 });
    const copy = await readEvents(tenant.orgId, id);
    assert.deepEqual(copy.slice(0, 10), log.slice(0, 10));
    assert.deepEqual(
      copy.slice(10).map((item) => item.type),
      ["session/end-seed"],
    );
    const [row, source] = [await header(id), await header(tenant.sessionId)];
    assert.deepEqual([row.parentId, row.seedLength, row.nextSeq, row.title], [tenant.sessionId, 10, 11, "One"]);
    for (const key of ["workspaceId", "presetId", "presetRevision", "provider", "model", "permission"] as const)
      assert.equal(row[key], source[key], key);
    assert.deepEqual(source, before);
    assert.equal((await readSessionStart(tenant.orgId, id)).seedLength, 10);
    assert.equal((await readSessionStart(tenant.orgId, tenant.sessionId)).seedLength, null);
    const texts =
      "SELECT data::text, surface_op, source_event_seqs, time FROM session_events WHERE session_id = $1 AND seq < 10 ORDER BY seq";
    assert.deepEqual(await world.asOwner(tenant.orgId, texts, [id]), await world.asOwner(tenant.orgId, texts, [tenant.sessionId]));
  });

  test("AG-014 a position inside an open turn is OPEN_TURN, the end of the turn is taken, one past the log is INVALID_BOUNDARY", async () => {
    const { fork, header, log } = await start();
    for (let boundarySeq = 0; boundarySeq < log.length; boundarySeq += 1) {
      if (boundarySeq < 8) await assert.rejects(fork({ boundarySeq }), { code: "OPEN_TURN" });
      else assert.equal((await header(await fork({ boundarySeq }))).seedLength, boundarySeq + 1);
    }
    await assert.rejects(fork({ boundarySeq: log.length }), { code: "INVALID_BOUNDARY" });
  });

  test("AG-145 without a position a fork of a session at work leaves the open turn out", async () => {
    const { fork, header, log } = await start(turnStart(2), stepStart(2), says("now"));
    assert.equal((await header(await fork())).seedLength, log.length - 3);
    const idle = await start();
    assert.equal((await idle.header(await idle.fork())).seedLength, idle.log.length);
  });

  test("SES-22 a prefix that ends with the seal gets no second one, an empty one gets its own", async () => {
    const { fork, header, tenant } = await start(event("session/end-seed", {}));
    const { nextSeq, seedLength } = await header(await fork());
    assert.equal(nextSeq, seedLength);
    const { sessionId } = await world.createSession(tenant.orgId, { workspaceId: tenant.workspaceId });
    const empty = await fork({ sessionId });
    assert.deepEqual(
      (await readEvents(tenant.orgId, empty)).map(({ type }) => type),
      ["session/end-seed"],
    );
  });

  test("SES-24 the permission is that of the copied part", async () => {
    const named = (preset: string) => event("permission/preset", { preset });
    const { fork, header, tenant } = await start(named("read-only"), named("danger-full-access"));
    await world.asOwner(tenant.orgId, "UPDATE sessions SET permission = 'danger-full-access'");
    assert.equal((await header(await fork({ boundarySeq: 10 }))).permission, "read-only");
    assert.equal((await header(await fork())).permission, "danger-full-access");
    assert.equal((await header(await fork({ boundarySeq: 9 }))).permission, "workspace-write");
  });

  test("AG-187 the same key is the same fork, one after the other and all at once; for another source or position it is refused", async () => {
    const { fork, tenant } = await start();
    const first = await fork({ clientKey: "fork-key-1", boundarySeq: 8 });
    assert.equal(await fork({ clientKey: "fork-key-1", boundarySeq: 8 }), first);
    await assert.rejects(fork({ clientKey: "fork-key-1", boundarySeq: 9 }), { code: "CONFLICT" });
    const { sessionId } = await world.createSession(tenant.orgId, { workspaceId: tenant.workspaceId });
    await assert.rejects(fork({ clientKey: "fork-key-1", sessionId }), { code: "CONFLICT" });
    const parallel = await Promise.all(Array.from({ length: 8 }, () => fork({ clientKey: "fork-key-2" })));
    assert.equal(new Set(parallel).size, 1);
    assert.equal((await world.audit(tenant.orgId)).filter(({ action }) => action === "session.fork").length, 2);
  });

  test("SC-T1 another organisation's session and an unknown one are the same answer", async () => {
    const [{ fork }, other] = [await start(), await world.createTenant()];
    const messages = await Promise.all(
      [other.sessionId, newId<SessionId>()].map((sessionId) => fork({ sessionId }).catch(({ code, message }) => [code, message])),
    );
    assert.deepEqual(messages[0], messages[1]);
    assert.equal(messages[0]?.[0], "NOT_FOUND");
  });

  test("a fork of a fork keeps its line", async () => {
    const { fork, header } = await start();
    const child = await fork();
    const grandchild = await fork({ sessionId: child });
    assert.equal((await header(grandchild)).parentId, child);
  });
});

describe("readings of a session", () => {
  test("PRJ-3 a long log is read to its end, once, and goes on from there; reading changes nothing (AG-186)", async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const rounds = Array.from({ length: 150 }, (_, n) => [
      turnStart(n + 2),
      stepStart(n + 2),
      answers(usage),
      stepEnd(n + 2),
      turnEnd(n + 2),
    ]);
    const { ctx, tenant, header } = await start(...rounds.flat(), turnStart(152), stepStart(152));
    const input = { org: tenant.slug, sessionId: tenant.sessionId };
    const before = await header(tenant.sessionId);
    const [first, second] = await Promise.all([getProjections(ctx, input), getProjections(ctx, { ...input, limit: 3 })]);
    assert.deepEqual(await header(tenant.sessionId), before);
    assert.deepEqual([first.stats?.turns, first.outline.turns.length, first.outline.hasMore], [151, 50, true]);
    assert.deepEqual(
      second.outline.turns.map(({ turn: number, endReason }) => [number, endReason]),
      [
        [150, "completed"],
        [151, "completed"],
        [152, null],
      ],
    );
    const older = await getProjections(ctx, { ...input, beforeTurn: 3, limit: 2 });
    assert.deepEqual([older.outline.turns.map(({ turn: number }) => number), older.outline.hasMore], [[1, 2], false]);
    assert.equal(first.cost.isComplete, true);
    assert.equal(first.cost.listCostUsd.toFixed(6), (150 * 0.28).toFixed(6));
    await writeLog(tenant, [answers(), stepEnd(152), turnEnd(152)]);
    assert.equal((await getProjections(ctx, input)).stats?.turns, 152);
  });

  test("SES-24 a fork shows the whole outline and its own cost", async () => {
    const { ctx, tenant, fork } = await start(
      turnStart(2),
      stepStart(2),
      answers({ inputTokens: 5, outputTokens: 5 }),
      stepEnd(2),
      turnEnd(2),
    );
    const sessionId = await fork();
    const { outline, usage } = await getProjections(ctx, { org: tenant.slug, sessionId });
    assert.deepEqual([outline.turns.length, usage], [2, []]);
  });

  test("SC-T1 nobody reads another organisation's", async () => {
    const [{ tenant }, other] = [await start(), await world.createTenant()];
    const input = { org: other.slug, sessionId: tenant.sessionId };
    await assert.rejects(getProjections(world.contextOf(other), input), { code: "NOT_FOUND" });
  });
});
