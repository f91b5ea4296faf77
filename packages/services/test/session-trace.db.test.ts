import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type LineageNode, type QueryCaller, queryErrorCode, type SessionId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { answers, calls, results, says, stepEnd, stepStart, turnEnd, turnStart } from "@gantry/testing/log-builder";
import { sessionQuery } from "../src/session/query/index.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();
const { readEvent, traceEvent, traceSession } = sessionQuery;
const failsWith = (code: string) => (error: unknown) => queryErrorCode(error) === `SESSION_QUERY_${code}`;

async function start() {
  const tenant = await world.createTenant();
  const { orgId, userId, workspaceId, sessionId } = tenant;
  const other = (await world.createWorkspace(orgId)).workspaceId;
  const agent: QueryCaller = { orgId, userId, sessionId };
  const create = async (parent: SessionId | null, workspace = workspaceId) => {
    const child = (await world.createSession(orgId, { workspaceId: workspace })).sessionId;
    await world.asOwner(orgId, "UPDATE sessions SET parent_id = $2 WHERE id = $1", [child, parent]);
    return child;
  };
  return { tenant, agent, person: { orgId, userId } as QueryCaller, other, create };
}

/** The tree as text: ids by name, `?` for what is hidden. */
function drawn(nodes: readonly LineageNode[], names: Map<string, string>): string {
  return nodes.map((node) => (node === "outside" ? "?" : `${names.get(node.sessionId)}(${drawn(node.children, names)})`)).join(" ");
}

describe("lineage", () => {
  test("AG-033 QRY-8 ancestors nearest first, forks as a tree; what lies outside is one mark without ids or what is below", async () => {
    const { tenant, agent, person, other, create } = await start();
    const root = await create(null);
    await world.asOwner(tenant.orgId, "UPDATE sessions SET parent_id = $2 WHERE id = $1", [tenant.sessionId, root]);
    const [a, hidden] = [await create(tenant.sessionId), await create(tenant.sessionId, other)];
    const [b, hidden2, below] = [await create(a), await create(tenant.sessionId, other), await create(hidden)];
    const names = new Map<string, string>([
      [a, "a"],
      [b, "b"],
      [below, "below"],
      [hidden, "hidden"],
      [hidden2, "hidden2"],
    ]);
    const seen = await traceSession(agent, {});
    assert.deepEqual(
      seen.ancestors.map((node) => node !== "outside" && node.sessionId),
      [root],
    );
    assert.equal(drawn(seen.target.children, names), "a(b()) ?");
    for (const id of [hidden, hidden2, below]) assert.ok(!JSON.stringify(seen).includes(id));
    assert.equal(
      drawn((await traceSession(person, { sessionId: tenant.sessionId })).target.children, names),
      "a(b()) hidden(below()) hidden2()",
    );
    await assert.rejects(traceSession(agent, { sessionId: hidden }), failsWith("SESSION_NOT_FOUND"));
    assert.deepEqual((await traceSession(agent, { sessionId: below })).ancestors, ["outside"], "its line does not go on behind the mark");
  });

  test("QRY-5 a line that leaves the workspace ends with a mark, like one whose parent was removed", async () => {
    const { tenant, agent, other, create } = await start();
    const above = await create(null, other);
    for (const parent of [above, newId()]) {
      await world.asOwner(tenant.orgId, "UPDATE sessions SET parent_id = $2 WHERE id = $1", [tenant.sessionId, parent]);
      assert.deepEqual((await traceSession(agent, {})).ancestors, ["outside"]);
    }
  });

  test("SES-25 a line that leads back to itself is an error, not a loop; a long one is walked", async () => {
    const { tenant, agent, create } = await start();
    let last: SessionId = tenant.sessionId;
    for (let depth = 0; depth < 30; depth++) last = await create(last);
    assert.equal((await traceSession(agent, { sessionId: last })).ancestors.length, 30);
    await world.asOwner(tenant.orgId, "UPDATE sessions SET parent_id = $2 WHERE id = $1", [tenant.sessionId, last]);
    await assert.rejects(traceSession(agent, {}), failsWith("INVALID_LINEAGE"));
  });

  test("AG-031 unknown, foreign and malformed ids are one answer, byte for byte, for every question", async () => {
    const [{ agent }, foreign] = [await start(), await start()];
    const inOtherWorkspace = await foreign.create(null);
    const questions = [traceSession, readEvent, traceEvent, sessionQuery.searchEvents] as ((
      c: QueryCaller,
      t: never,
    ) => Promise<unknown>)[];
    for (const ask of questions) {
      const answersTo = async (sessionId: string) =>
        ask(agent, { sessionId, seq: 0, query: "x" } as never).then(
          () => assert.fail("it answered"),
          (error) => JSON.stringify([error.name, error.code, error.message, error.data]),
        );
      const all = await Promise.all([newId(), foreign.tenant.sessionId, inOtherWorkspace, "x'; --", ""].map(answersTo));
      assert.equal(new Set(all).size, 1, all.join("\n"));
      assert.match(all[0] ?? "", /SESSION_QUERY_SESSION_NOT_FOUND/);
    }
  });
});

describe("one event", () => {
  async function withLog() {
    const found = await start();
    const pruned = { ...results("a"), surfaceOp: { op: "replace", start: 6, end: 6 } as const, sourceEventSeqs: [6] };
    const log = await writeLog(found.tenant, [
      ...[turnStart(), stepStart(), says("first words"), says("second"), answers(), calls("a"), { ...results("a"), sourceEventSeqs: [5] }],
      ...[
        pruned,
        stepEnd(),
        { ...says("sum"), surfaceOp: { op: "replace", start: 2, end: 4 } as const, sourceEventSeqs: [2, 3, 4] },
        turnEnd(),
      ],
    ]);
    return { ...found, log };
  }

  test("AG-034 QRY-8 an event is read unabridged, with a line for each neighbour; beyond the end it is EVENT_NOT_FOUND", async () => {
    const { agent, log } = await withLog();
    const { event: read, surface, before, after } = await readEvent(agent, { seq: 3, before: 2, after: 50 });
    assert.deepEqual(read, log[3]);
    assert.deepEqual([surface, before.map(({ seq }) => seq), after.map(({ seq }) => seq)], ["shadowed", [1, 2], [4, 5, 6, 7, 8, 9, 10]]);
    assert.deepEqual(before[1], { seq: 2, time: log[2]?.time, type: "user/message", surface: "shadowed", summary: "first words" });
    for (const seq of [log.length, 1e9, -1, 0.5]) {
      await assert.rejects(readEvent(agent, { seq }), failsWith("EVENT_NOT_FOUND"));
      await assert.rejects(traceEvent(agent, { seq }), failsWith("EVENT_NOT_FOUND"));
    }
    await assert.rejects(readEvent(agent, { seq: 1, before: 51 }), failsWith("INVALID_WINDOW"));
  });

  test("QRY-8 a trace names replacements, sources and what was made from the event", async () => {
    const { agent, tenant } = await withLog();
    const of = async (seq: number) => {
      const { surface, replacedBy, chain, replaced, sources, derived } = await traceEvent(agent, { sessionId: tenant.sessionId, seq });
      return { surface, replacedBy, chain, replaced, sources, derived };
    };
    const none = { replacedBy: null, chain: [], replaced: [], sources: [], derived: [] };
    assert.deepEqual(await of(3), { ...none, surface: "shadowed", replacedBy: 9, chain: [9], derived: [9] });
    assert.deepEqual(await of(9), { ...none, surface: "current", replaced: [2, 3, 4], sources: [2, 3, 4] });
    assert.deepEqual(await of(5), { ...none, surface: "log-only", derived: [6] });
    assert.deepEqual(await of(6), { ...none, surface: "shadowed", replacedBy: 7, chain: [7], sources: [5], derived: [7] });
  });

  test("QRY-3 a damaged log is CORRUPT_SESSION, a surface that cannot be followed INVALID_SURFACE", async () => {
    const { agent, tenant } = await withLog();
    await world.asOwner(tenant.orgId, `UPDATE session_events SET data = '{}' WHERE session_id = $1 AND seq = 0`, [tenant.sessionId]);
    await assert.rejects(readEvent(agent, { seq: 0 }), failsWith("CORRUPT_SESSION"));
    const op = JSON.stringify({ op: "replace", start: 90, end: 91 });
    await world.asOwner(tenant.orgId, "UPDATE session_events SET surface_op = $2 WHERE session_id = $1 AND seq = 9", [
      tenant.sessionId,
      op,
    ]);
    await assert.rejects(traceEvent(agent, { seq: 2 }), failsWith("INVALID_SURFACE"));
  });

  test("AG-186 reading an open turn neither closes it nor writes anything", async () => {
    const { agent, tenant } = await withLog();
    await writeLog(tenant, [turnStart(2), stepStart(2), says("needle")]);
    const rows = () =>
      world.asOwner(tenant.orgId, "SELECT seq, type FROM session_events WHERE session_id = $1 ORDER BY seq", [tenant.sessionId]);
    const before = await rows();
    await Promise.all([readEvent(agent, { seq: 13, before: 5 }), traceEvent(agent, { seq: 13 }), traceSession(agent, {})]);
    await sessionQuery.searchEvents(agent, { query: "first" });
    assert.deepEqual(await rows(), before);
  });
});
