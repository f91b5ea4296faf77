import assert from "node:assert/strict";
import { test } from "node:test";
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

test("INB-6 a damaged splice names its place", () => {
  const { log } = testLog();
  log.append({ type: "agent/inbox/spliced", data: { target: "next-turn", start: 0, removedCount: 2, inserted: [] } });
  assert.throws(() => new Inbox(log.events, { append: (draft) => log.append(draft) }), { code: "SESSION_CORRUPT", message: /event 0/ });
});
