import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EventSearchQuery, type QueryCaller, queryErrorCode, type SessionId, type SessionSearchQuery } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { answers, calls, event, results, says, stepEnd, stepStart, streams, turnEnd, turnStart } from "@gantry/testing/log-builder";
import { searchEvents } from "../src/session/query/search-events.ts";
import { searchSessions } from "../src/session/query/search-sessions.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();
const turnOf = (...texts: string[]) => [turnStart(), stepStart(), ...texts.map((text) => says(text)), answers(), stepEnd(), turnEnd()];
const failsWith = (code: string) => (error: unknown) => queryErrorCode(error) === `SESSION_QUERY_${code}`;

/** A tenant whose sessions, in one workspace, say these things; the first is the tenant's own. */
async function start(...logs: readonly (readonly string[])[]) {
  const tenant = await world.createTenant();
  const { orgId, workspaceId, userId } = tenant;
  const person: QueryCaller = { orgId, userId };
  const say = async (texts: readonly string[], sessionId?: SessionId) => {
    const id = sessionId ?? (await world.createSession(orgId, { workspaceId, createdBy: userId })).sessionId;
    await writeLog({ orgId, sessionId: id }, turnOf(...texts));
    return id;
  };
  const ids: SessionId[] = [];
  for (const [index, texts] of logs.entries()) ids.push(await say(texts, index === 0 ? tenant.sessionId : undefined));
  const find = async (query: string, more: Partial<SessionSearchQuery> = {}, caller = person) =>
    (await searchSessions(caller, { query, ...more })).items.map(({ sessionId }) => ids.indexOf(sessionId as SessionId));
  return { tenant, person, ids, say, find };
}

describe("search over sessions", () => {
  test("AG-032 a question is taken literally: no operator, no quote, no prefix", async () => {
    const { find } = await start(["foo"], ["bar"], ['say foo OR "bar here'], ["foobar food"], ["foo and bar or baz"]);
    assert.deepEqual((await find('foo OR "bar')).sort(), [2, 4], "all words must be there, wherever they stand");
    assert.equal((await find('foo OR "bar'))[0], 2, "the literal text comes first");
    assert.deepEqual(await find("foo & !bar | 'x':*"), []);
    assert.deepEqual(await find("baz <-> bar"), [4]);
    assert.deepEqual(await find("100% _"), []);
  });

  test("QRY-2 words of two characters, parts of words, punctuation, other scripts, and either case", async () => {
    const { find } = await start(["an ox"], ["path src/app/main.ts"], ["a => b"], ["修复登录问题"], ["Straße ÄRGER"]);
    const found = await Promise.all(["OX", "main.ts", "=>", "登录", "ärger"].map((query) => find(query)));
    assert.deepEqual(found, [[0], [1], [2], [3], [4]]);
  });

  test("QRY-2 whole words come before parts of words, and those before words that stand apart", async () => {
    const { find } = await start(["red and then a box"], ["redboxes"], ["a red-box"], ["redbox"], ["red box"]);
    assert.deepEqual(await find("redbox"), [3, 1]);
    assert.deepEqual(await find("red box"), [4, 2, 0]);
  });

  test("QRY-2 reasoning, deltas, titles and headers are not found; tool results are, up to their head", async () => {
    const { tenant, person } = await start([]);
    const long = results("a");
    const text = `needle1 ${"x ".repeat(2_000)} needle2`;
    (long.data as { message: { content: object[] } }).message.content = [
      { type: "tool-result", toolCallId: "a", isError: false, content: [{ type: "text", text }] },
    ];
    const title = event("session/title", { title: "needle3", messageSeqs: [], source: { kind: "user" } });
    await writeLog(tenant, [turnStart(2), stepStart(2), streams("needle4"), answers(), calls("a"), long, title, stepEnd(2), turnEnd(2)]);
    const matches = async (query: string) => (await searchSessions(person, { query })).items[0]?.best.kind ?? null;
    assert.deepEqual(await Promise.all(["needle1", "needle2", "needle3", "needle4"].map(matches)), ["tool", null, null, null]);
  });

  test("QRY-2 what is said after a search is found by the next one, and a session is listed once with its best match", async () => {
    const { tenant, person, say, ids } = await start(["alpha"], ["beta"]);
    assert.deepEqual((await searchSessions(person, { query: "gamma" })).items, []);
    await writeLog(tenant, [turnStart(2), stepStart(2), says("some gamma words"), says("gamma gamma"), stepEnd(2), turnEnd(2)]);
    const [item] = (await searchSessions(person, { query: "gamma" })).items;
    assert.deepEqual([item?.sessionId, item?.matches, item?.best.snippet, item?.parent], [ids[0], 2, "gamma gamma", null]);
    await say(["\u0000odd \u0000gamma"], ids[1]).catch(() => {}); // the turn numbers repeat, which a log reader does not mind
    assert.equal((await searchSessions(person, { query: "gamma" })).items.length, 2);
  });

  test("AG-030 QRY-5 an agent finds its own workspace without itself; a person finds every workspace of the org, and no other org's", async () => {
    const { tenant, person, ids, find } = await start(["needle"], ["needle"]);
    const [{ workspaceId }, foreign] = [await world.createWorkspace(tenant.orgId), await start(["needle"])];
    const elsewhere = (await world.createSession(tenant.orgId, { workspaceId })).sessionId;
    await writeLog({ orgId: tenant.orgId, sessionId: elsewhere }, turnOf("needle"));
    ids.push(elsewhere);
    assert.deepEqual((await find("needle")).sort(), [0, 1, 2]);
    assert.deepEqual(await find("needle", { workspaceId: workspaceId }), [2]);
    const agent = { ...person, sessionId: tenant.sessionId };
    assert.deepEqual(await find("needle", {}, agent), [1]);
    assert.deepEqual(await find("needle", { workspaceId, sessionIds: [elsewhere, foreign.tenant.sessionId, tenant.sessionId] }, agent), []);
    await assert.rejects(find("needle", {}, { ...agent, sessionId: foreign.tenant.sessionId }), failsWith("SESSION_NOT_FOUND"));
  });

  test("QRY-5 whoever is no member any more finds nothing", async () => {
    const { tenant, person, find } = await start(["needle"]);
    await world.asOwner(tenant.orgId, "DELETE FROM memberships WHERE user_id = $1", [tenant.userId]);
    await assert.rejects(find("needle"), failsWith("SESSION_NOT_FOUND"));
    await assert.rejects(searchEvents(person, { sessionId: tenant.sessionId, query: "needle" }), failsWith("SESSION_NOT_FOUND"));
  });

  test("AG-242 QRY-7 filters: parents and roots by OR, times inclusive, guesses tell nothing, empty lists filter nothing", async () => {
    const { tenant, ids, find, person } = await start(["needle"], ["needle"], ["needle"]);
    const set = (sql: string, values: unknown[]) => world.asOwner(tenant.orgId, sql, values);
    const secret = (await world.createSession(tenant.orgId, { workspaceId: (await world.createWorkspace(tenant.orgId)).workspaceId }))
      .sessionId;
    await set("UPDATE sessions SET parent_id = $2 WHERE id = $1", [ids[1], ids[0]]);
    await set("UPDATE sessions SET parent_id = $2 WHERE id = $1", [ids[2], secret]);
    await set("UPDATE sessions SET created_at = '2026-03-01T08:00:00.123Z' WHERE id = $1", [ids[0]]);
    assert.deepEqual(await find("needle", { parentIds: [String(ids[0])] }), [1]);
    assert.deepEqual((await find("needle", { parentIds: [String(ids[0]), String(ids[0])], includeRoots: true })).sort(), [0, 1]);
    assert.deepEqual(await find("needle", { includeRoots: true }), [0]);
    assert.deepEqual((await find("needle", { parentIds: [], sessionIds: [], availability: [] })).length, 3);
    const spy = (await world.createSession(tenant.orgId, { workspaceId: tenant.workspaceId })).sessionId;
    const agent = { ...person, sessionId: spy };
    for (const guess of [secret, newId(), "no id at all"]) assert.deepEqual(await find("needle", { parentIds: [guess] }, agent), [], guess);
    const marks = (await searchSessions(agent, { query: "needle", sessionIds: [String(ids[2])] })).items.map(({ parent }) => parent);
    assert.deepEqual(marks, ["outside"]);
    const created = (createdFrom: string, createdTo: string) => find("needle", { createdFrom, createdTo });
    assert.deepEqual(await created("2026-03-01T08:00:00.123Z", "2026-03-01T09:00:00.123+01:00"), [0]);
    assert.deepEqual(await created("2026-03-01T08:00:00.1230001Z", "2026-03-01T08:00:00.124Z"), []);
    await assert.rejects(created("2026-03-01T08:00:00.1230002Z", "2026-03-01T08:00:00.1230001Z"), failsWith("INVALID_FILTER"));
    await assert.rejects(created("2026-03-01T08:00:00", "2026-03-01T08:00:01Z"), failsWith("INVALID_FILTER"));
  });

  test("QRY-7 filters on events: positions, types and surfaces", async () => {
    const { find, tenant } = await start(["needle", "other"], ["other"]);
    const events = (filter: SessionSearchQuery["events"]) => find("needle", { events: filter ?? {} });
    assert.deepEqual(await events({ seqFrom: 2, seqTo: 2 }), [0]);
    assert.deepEqual(await events({ seqFrom: 3 }), []);
    assert.deepEqual(await events({ types: ["user/message"], surfaces: ["current"] }), [0]);
    assert.deepEqual(await events({ types: ["assistant/message"] }), []);
    assert.deepEqual(await events({ types: ["request/header"] }), []);
    assert.deepEqual(await events({ surfaces: ["log-only"] }), []);
    await writeLog(tenant, [{ ...says("summary"), surfaceOp: { op: "replace", start: 2, end: 3 }, sourceEventSeqs: [2, 3] }]);
    assert.deepEqual([await events({ surfaces: ["current"] }), await events({ surfaces: ["shadowed"] })], [[], [0]]);
    await assert.rejects(events({ seqFrom: 3, seqTo: 2 }), failsWith("INVALID_FILTER"));
  });

  test("QRY-2 pages repeat and miss nothing, and end; a cursor belongs to its question and to its state of the sessions", async () => {
    const { person, ids, find, tenant } = await start(...Array.from({ length: 5 }, () => ["needle"]));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await searchSessions(person, { query: "needle", limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(seen.toSorted(), ids.map(String).toSorted());
    const first = await searchSessions(person, { query: "needle", limit: 2 });
    const next = { cursor: first.nextCursor ?? "" };
    await assert.rejects(find("other", next), failsWith("INVALID_CURSOR"));
    await assert.rejects(find("needle", { cursor: "bm9wZQ" }), failsWith("INVALID_CURSOR"));
    await assert.rejects(find("needle", { limit: 101 }), failsWith("INVALID_LIMIT"));
    await assert.rejects(find("  "), failsWith("INVALID_QUERY"));
    await writeLog(tenant, [turnStart(2), stepStart(2), says("more"), stepEnd(2), turnEnd(2)]);
    await assert.rejects(searchSessions(person, { query: "needle", limit: 2, ...next }), failsWith("STALE_CURSOR"));
  });

  test("QRY-3 a search that is called off ends with the caller's reason", async () => {
    const { person } = await start(["needle"]);
    const reason = new Error("enough");
    await assert.rejects(searchSessions(person, { query: "needle" }, AbortSignal.abort(reason)), (error) => error === reason);
  });
});

test("AG-185 a search that is called off takes nothing from one that reads the same sessions", async () => {
  const { person, ids } = await start(...Array.from({ length: 12 }, () => ["needle"]));
  const gone = new AbortController();
  const [stays, leaves] = [searchSessions(person, { query: "needle" }), searchSessions(person, { query: "needle" }, gone.signal)];
  gone.abort(new Error("left"));
  await assert.rejects(leaves, /left/);
  assert.equal((await stays).items.length, ids.length);
});

describe("search in one session", () => {
  test("QRY-6 in the own session it ends before the step that asks, and needs one", async () => {
    const { tenant, person } = await start(["needle one"]);
    const agent = { ...person, sessionId: tenant.sessionId };
    const find = async (more: Partial<EventSearchQuery> = {}) =>
      (await searchEvents(agent, { query: "needle", ...more })).items.map(({ seq }) => seq);
    await assert.rejects(find(), failsWith("INVALID_WINDOW"));
    const log = await writeLog(tenant, [turnStart(2), stepStart(2), says("needle two")]);
    assert.deepEqual(await find(), [2]);
    assert.deepEqual(await find({ events: { timeFrom: new Date((log[0]?.time ?? 0) + 1).toISOString() } }), []);
    const person2 = (await searchEvents(person, { sessionId: tenant.sessionId, query: "needle" })).items.map(({ seq }) => seq);
    assert.deepEqual(person2.sort(), [2, 8]);
  });

  test("QRY-7 what was replaced is found as shadowed", async () => {
    const { tenant, person } = await start(["needle one"]);
    await writeLog(tenant, [{ ...says("needle again"), surfaceOp: { op: "replace", start: 2, end: 2 }, sourceEventSeqs: [2] }]);
    const find = async (surfaces: ("current" | "shadowed")[]) =>
      (await searchEvents(person, { sessionId: tenant.sessionId, query: "needle", events: { surfaces } })).items.map(({ seq }) => seq);
    assert.deepEqual([await find(["current"]), await find(["shadowed"]), (await find([])).length], [[6], [2], 2]);
  });
});
