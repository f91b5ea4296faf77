import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData } from "@gantry/contracts";
import { Inbox } from "../src/session/inbox.ts";
import { testLog, userMessage } from "./support/log.ts";

function openInbox() {
  const { log } = testLog();
  return { log, inbox: new Inbox([], { append: (draft) => log.append(draft) }) };
}
const ids = (messages: readonly { id: string }[]) => messages.map((message) => message.id);

test("AG-044 a message that is pending already is refused in either list and nothing is logged", () => {
  const { log, inbox } = openInbox();
  inbox.push("next-turn", userMessage("a"));
  assert.throws(() => inbox.push("next-step", userMessage("a")), { code: "CONFLICT" });
  assert.equal(log.events.length, 1);
});

test("INB-4 a new turn takes all next-step messages and one next-turn message, in that order", () => {
  const { inbox } = openInbox();
  inbox.push("next-turn", userMessage("t1"));
  inbox.push("next-turn", userMessage("t2"));
  inbox.push("next-step", userMessage("s1"));
  inbox.push("next-step", userMessage("s2"));
  assert.deepEqual(ids(inbox.claim("next-turn")), ["s1", "s2", "t1"]);
  assert.deepEqual(ids(inbox.claim("next-step")), []);
  assert.deepEqual(ids(inbox.claim("next-turn")), ["t2"]);
});

test("INB-1 the state is the replay of the logged splices, and a claim of nothing logs nothing", () => {
  const { log, inbox } = openInbox();
  inbox.push("next-turn", userMessage("a"));
  inbox.push("next-turn", userMessage("b"));
  inbox.claim("next-turn");
  inbox.claim("next-step");
  assert.equal(log.events.length, 3);
  const replayed = new Inbox(log.events, { append: (draft) => log.append(draft) });
  assert.deepEqual(ids(replayed.pending("next-turn")), ["b"]);
});

test("INB-3 clearing marks what it drops as canceled, a claim does not", () => {
  const { log, inbox } = openInbox();
  inbox.push("next-turn", userMessage("a"));
  inbox.push("next-step", userMessage("b"));
  inbox.clear();
  const outcomes = log.events.flatMap((event) => (event.type === "agent/inbox/spliced" ? [[event.data.target, event.data.outcome]] : []));
  assert.deepEqual(outcomes.slice(2), [
    ["next-step", "canceled"],
    ["next-turn", "canceled"],
  ]);
  assert.ok(inbox.isEmpty);
});

test("INB-6 a splice that lets a message wait twice names its place; one that only moves it loads", () => {
  const replay = (...splices: EventData<"agent/inbox/spliced">[]) => {
    const { log } = testLog();
    for (const data of splices) log.append({ type: "agent/inbox/spliced", data });
    return new Inbox(log.events, { append: (draft) => log.append(draft) });
  };
  const a: EventData<"agent/inbox/spliced"> = { target: "next-turn", start: 0, inserted: [userMessage("a")] };
  assert.throws(() => replay(a, { ...a, target: "next-step" }), { code: "SESSION_CORRUPT", message: /event 1/ });
  assert.throws(() => replay({ ...a, inserted: [userMessage("a"), userMessage("a")] }), { code: "SESSION_CORRUPT", message: /event 0/ });
  assert.throws(() => replay(a, { ...a, start: 3 }), { code: "SESSION_CORRUPT" });
  assert.deepEqual(ids(replay(a, { ...a, removedCount: 1 }).pending("next-turn")), ["a"]);
});

test("INB-2 places and counts are made whole and clamped as an array's splice does it, and what changes nothing logs nothing", () => {
  const odd = [Number.NaN, Number.NEGATIVE_INFINITY, -9, -2.9, -1, -0.5, 0, 0.9, 1, 2.5, 3, 99, Number.POSITIVE_INFINITY];
  for (const start of odd)
    for (const count of odd)
      for (const added of [[], ["x", "y"]]) {
        const { log, inbox } = openInbox();
        const list = ["a", "b", "c"];
        for (const id of list) inbox.push("next-turn", userMessage(id));
        const removed = inbox.splice(
          "next-turn",
          start,
          count,
          added.map((id) => userMessage(id)),
        );
        const about = `splice(${start}, ${count}, ${added})`;
        assert.deepEqual(ids(removed), list.splice(start, count, ...added), about);
        assert.deepEqual(ids(inbox.pending("next-turn")), list, about);
        assert.equal(log.events.length, removed.length + added.length > 0 ? 4 : 3, about);
        const replayed = new Inbox(log.events, { append: (draft) => log.append(draft) });
        assert.deepEqual(ids(replayed.pending("next-turn")), list, about);
      }
});

test("INB-6 a damaged splice names its place", () => {
  const { log } = testLog();
  log.append({ type: "agent/inbox/spliced", data: { target: "next-turn", start: 0, removedCount: 2, inserted: [] } });
  assert.throws(() => new Inbox(log.events, { append: (draft) => log.append(draft) }), { code: "SESSION_CORRUPT", message: /event 0/ });
});

const splices = (log: ReturnType<typeof openInbox>["log"]) =>
  log.events.flatMap((event) => (event.type === "agent/inbox/spliced" ? [event.data] : []));

function listening() {
  const { log } = testLog();
  const told: string[] = [];
  const inbox = new Inbox([], { append: (draft) => log.append(draft), notify: (change, { id }) => void told.push(`${change} ${id}`) });
  return { log, inbox, told };
}

test("INB-3 a replaced message is one splice: the old one discarded, the new one inserted in its place", () => {
  const { log, inbox, told } = listening();
  for (const id of ["a", "b", "c"]) inbox.push("next-turn", userMessage(id));
  assert.equal(inbox.replace("b", userMessage("b", "edited"))?.id, "b");
  assert.deepEqual(ids(inbox.pending("next-turn")), ["a", "b", "c"]);
  const { start, removedCount, outcome, inserted } = splices(log)[3] ?? {};
  assert.deepEqual([log.events.length, start, removedCount, outcome, ids(inserted ?? [])], [4, 1, 1, "canceled", ["b"]]);
  assert.deepEqual(told.slice(3), ["discarded b", "inserted b"]);
});

test("what was claimed can no longer be changed, and nothing is logged for the attempt (§2.9)", () => {
  const { log, inbox } = openInbox();
  inbox.push("next-turn", userMessage("a"));
  inbox.claim("next-turn");
  assert.deepEqual([inbox.remove("a"), inbox.replace("a", userMessage("a")), inbox.move("a", 0)], [null, null, null]);
  assert.equal(log.events.length, 2);
});

test("INB-2 a message that takes another's place may not wait in the other list already", () => {
  const { log, inbox } = openInbox();
  inbox.push("next-turn", userMessage("a"));
  inbox.push("next-step", userMessage("b"));
  assert.throws(() => inbox.replace("a", userMessage("b")), { code: "CONFLICT" });
  assert.throws(() => inbox.splice("next-turn", 0, 0, [userMessage("x"), userMessage("x")]), { code: "CONFLICT" });
  assert.equal(log.events.length, 2);
});

test("a message is moved within its list in one splice that is no claim, and the state is still the replay of the log", () => {
  const { log, inbox, told } = listening();
  for (const id of ["a", "b", "c", "d"]) inbox.push("next-turn", userMessage(id));
  const order = () => ids(inbox.pending("next-turn")).join("");
  const seen = [
    ["d", 1],
    ["a", 99],
    ["c", 0],
    ["c", 0],
  ].map(([id, index]) => {
    inbox.move(id as string, index as number);
    return order();
  });
  assert.deepEqual(seen, ["adbc", "dbca", "cdba", "cdba"]);
  assert.deepEqual([log.events.length, told.length], [7, 4]);
  assert.ok(
    splices(log)
      .slice(4)
      .every(({ outcome }) => outcome === "canceled"),
  );
  const replayed = new Inbox(log.events, { append: (draft) => log.append(draft) });
  assert.deepEqual(ids(replayed.pending("next-turn")), ["c", "d", "b", "a"]);
});
