import assert from "node:assert/strict";
import { test } from "node:test";
import { presentCall, presentResult } from "../src/present/index.ts";

const one = { id: "db", question: "Which database?", options: [{ label: "Postgres" }] };
const two = { id: "checks", question: "Which checks?" };
const name = "ask_user_question";

test("a call that asks shows its question, or how many there are", () => {
  assert.deepEqual(presentCall(name, JSON.stringify({ questions: [one] })), {
    card: "generic",
    title: "Ask Which database?",
    kind: "other",
    content: "Which database?",
  });
  assert.equal(presentCall(name, JSON.stringify({ questions: [one, two] }))?.title, "Ask 2 questions");
});

test("answers stand under their questions, with the person's own words; what is no answer has no card", () => {
  const args = JSON.stringify({ questions: [one, two] });
  const text = JSON.stringify({
    answers: [
      { id: "db", selected: ["Postgres"], custom: "16 or newer" },
      { id: "checks", selected: [] },
    ],
  });
  const card = presentResult(name, args, text, undefined, false);
  assert.ok(card?.card === "generic");
  assert.equal(card.text, "Which database?\n  Postgres, 16 or newer\nWhich checks?\n  –");
  assert.equal(presentResult(name, args, "Error: put away without an answer", undefined, true), null);
  assert.equal(presentResult(name, args, "null", undefined, false), null);
});

test("whatever the model wrote, nothing is thrown", () => {
  for (const args of ["", "1", "[]", '{"questions":1}', '{"questions":[1,null,{"id":1}]}', "{"]) {
    assert.equal(presentCall(name, args), null, args);
    presentResult(name, args, '{"answers":[null,{"id":1},{"id":"x","selected":[1]}]}', undefined, false);
  }
});
