import assert from "node:assert/strict";
import { test } from "node:test";
import { isCommand, matchingCommands } from "../src/features/session/model/commands.ts";
import { queuedOf } from "../src/features/session/model/queued.ts";
import { answersOf, type Draft, pick, write } from "../src/features/session/prompts/answers.ts";
import { directoryOf, shownArguments, shownDiffs, shownReason } from "../src/features/session/prompts/call-arguments.ts";
import { dollars, timeLeft, tokenCount } from "../src/lib/format.ts";

test("SC-P2 nothing of a call is hidden: escapes, zero-width and turned text are written out, and nothing is cut off", () => {
  const command = `echo ok\u001b[2K\rrm -rf \u202E/\u200b\n${"x".repeat(50_000)}`;
  const shown = shownArguments(JSON.stringify({ command, timeout: 5 }));
  assert.equal(shown.main?.name, "command");
  assert.ok(shown.main?.text.startsWith("echo ok\\u{1b}[2K\\u{d}rm -rf \\u{202e}/\\u{200b}\n"));
  assert.ok(shown.main?.text.endsWith("x".repeat(50_000)));
  assert.deepEqual(shown.others, [{ name: "timeout", text: "5" }]);
  assert.equal(directoryOf(shown), "/workspace");
  assert.equal(directoryOf(shownArguments('{"command":"ls","cwd":"/tmp"}')), "/tmp");
});

test("SC-P2 a call that changes a file is shown as its change, with everything hidden written out; other calls are not", () => {
  const raw = JSON.stringify({ file_path: "a\u202e.ts", old_string: "one\u200b", new_string: "two\r" });
  assert.deepEqual(shownDiffs("edit", raw), [{ path: "a\\u{202e}.ts", oldText: "one\\u{200b}", newText: "two\\u{d}" }]);
  const written = shownDiffs("write", JSON.stringify({ file_path: "b.ts", content: "new" }));
  assert.deepEqual(written, [{ path: "b.ts", oldText: null, newText: "new" }]);
  assert.equal(shownDiffs("bash", '{"command":"ls"}'), null);
  assert.equal(shownDiffs(null, raw), null);
});

test("a wish for wider permissions is told by their name, and names the arguments that it repeats; another reason stays as it is", () => {
  assert.deepEqual(shownReason("escalate sandbox to danger-full-access: it needs\nthe network"), {
    text: "Full access, for this one call: it needs\nthe network",
    told: { sandbox_permissions: "danger-full-access", justification: "it needs\nthe network" },
  });
  for (const reason of ["", "a rule of the organisation", "escalate sandbox to nowhere: please"])
    assert.deepEqual(shownReason(reason), { text: reason, told: {} });
});

test("arguments that are no JSON object are shown as they were written", () => {
  for (const raw of ["", "[1]", '{"command": ', '{"a":"\\u{202e}"}', "null"]) {
    const { main, others, raw: written } = shownArguments(raw);
    assert.deepEqual([main, others, written], [null, [], raw]);
  }
});

const one = { id: "one", header: "", question: "One?", options: [{ label: "A" }, { label: "B" }] };
const many = { id: "many", header: "", question: "Many?", options: [{ label: "A" }, { label: "B" }], multiSelect: true };

test("where one may be chosen, a choice and own words take each other's place; where several may, they stand together", () => {
  let draft: Draft = pick({}, one, "A", true);
  draft = pick(draft, one, "B", true);
  assert.deepEqual(answersOf(draft, [one]), [{ id: "one", selected: ["B"] }]);
  draft = write(draft, one, " mine ");
  assert.deepEqual(answersOf(draft, [one]), [{ id: "one", selected: [], custom: "mine" }]);
  draft = pick(draft, one, "A", true);
  assert.deepEqual(answersOf(draft, [one]), [{ id: "one", selected: ["A"] }]);
  draft = write(pick(pick({}, many, "B", true), many, "A", true), many, "and more");
  assert.deepEqual(answersOf(draft, [many]), [{ id: "many", selected: ["A", "B"], custom: "and more" }]);
  assert.deepEqual(answersOf(pick(draft, many, "A", false), [many]), [{ id: "many", selected: ["B"], custom: "and more" }]);
});

test("questions without an answer are left out", () => {
  assert.deepEqual(answersOf(write({}, one, "  "), [one, many]), []);
});

test("places in the queue count the notes that nobody sees", () => {
  const message = (messageId: string, text: string) => ({ messageId, text, author: null, target: "next-turn" as const });
  const places = queuedOf([message("a", "A"), message("note", ""), message("b", "B"), message("c", "C")]);
  assert.deepEqual(
    places.map(({ at, before, after }) => [at, before, after]),
    [
      [0, null, 2],
      [2, 0, 3],
      [3, 2, null],
    ],
  );
});

test("a slash and a name are a command; paths, questions and a space before are messages", () => {
  for (const text of ["/compact", "/compact now", "/nobody-knows\n"]) assert.equal(isCommand(text), true, text);
  for (const text of ["/etc/hosts is gone", " /compact", "/", "compact", "/ compact"]) assert.equal(isCommand(text), false, text);
  assert.deepEqual(
    [matchingCommands("/"), matchingCommands("/comp"), matchingCommands("/compact x"), matchingCommands("/zz")],
    [["compact", "export", "feedback", "permission"], ["compact"], [], []],
  );
});

test("numbers are short and say enough", () => {
  assert.deepEqual([950, 12_345, 234_567, 1_234_567].map(tokenCount), ["950", "12.3k", "235k", "1.2M"]);
  assert.deepEqual([0, 0.000_01, 0.001_2, 0.05, 1.2].map(dollars), ["$0.00", "under $0.0001", "$0.0012", "$0.05", "$1.20"]);
  assert.deepEqual([5_000, 3 * 3_600_000, 6.9 * 24 * 3_600_000].map(timeLeft), ["5 s", "3 h 00 m", "7 d"]);
});
