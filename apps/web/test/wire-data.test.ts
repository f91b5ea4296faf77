import assert from "node:assert/strict";
import { test } from "node:test";
import superjson from "superjson";
import { wireData } from "../src/trpc/wire-data.ts";

/** An answer as the API sends it. */
const sent = (value: unknown) => JSON.parse(JSON.stringify(superjson.serialize(value)));

const day = new Date("2026-12-01T04:05:06.789Z");
const answers: { [name: string]: unknown } = {
  "a text": "x",
  "a date alone": day,
  nothing: undefined,
  "null, numbers and lists": { a: null, b: [1, -2.5, true, ["x"]] },
  "dates in rows": {
    items: [
      { id: "1", at: day, ended: null },
      { id: "2", at: new Date(0) },
    ],
    next: undefined,
  },
  "one date in several places": { a: day, b: { c: [day, day] } },
  "keys with dots and backslashes": { "a.b": day, "c\\": { "d.e\\.f": undefined, "": day, ".": day }, "\\.": [day] },
  "keys of numbers": { 0: { 1: day }, "01": [undefined, day] },
};

for (const [name, answer] of Object.entries(answers))
  test(`an answer is read as superjson reads it: ${name}`, () => {
    assert.deepEqual(wireData.deserialize(sent(answer)), answer);
    assert.deepEqual(superjson.deserialize(sent(answer)), answer, "the comparison itself");
  });

test("random answers are read as superjson reads them", () => {
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
  const keys = ["a", "b.c", "\\", "d\\.e", "0", "", "f.g.", "h"];
  const value = (depth: number): unknown => {
    const pick = Math.random() * (depth > 4 ? 0.5 : 1);
    if (pick < 0.5) return any([null, 1, "x", true, day, new Date(Math.floor(Math.random() * 1e12)), undefined]);
    const size = Array.from({ length: Math.floor(Math.random() * 4) });
    return pick < 0.75 ? size.map(() => value(depth + 1)) : Object.fromEntries(size.map(() => [any(keys), value(depth + 1)]));
  };
  for (let round = 0; round < 300; round++) {
    const answer = value(0);
    assert.deepEqual(wireData.deserialize(sent(answer)), superjson.deserialize(sent(answer)), JSON.stringify(sent(answer)));
  }
});

test("a kind that no answer has is not passed on as something else", () => {
  for (const foreign of [new Map(), 1n, { a: [new Set([1])] }, { toString: Number.NaN }])
    assert.throws(() => wireData.deserialize(sent(foreign)), /cannot read/);
});

test("a call is read by the API as it was meant, without what is undefined", () => {
  const call = { org: "acme", text: "héllo", cursor: undefined, nested: { list: [1, "2", null] } };
  const read = superjson.deserialize(JSON.parse(JSON.stringify(wireData.serialize(call))));
  assert.deepEqual(read, { org: "acme", text: "héllo", nested: { list: [1, "2", null] } });
  assert.equal(superjson.deserialize(JSON.parse(JSON.stringify(wireData.serialize(undefined)))), undefined);
});
