import assert from "node:assert/strict";
import { test } from "node:test";
import superjson from "superjson";
import { transformer } from "../src/transformer.ts";

test("CP-52 an event with a key like a member of every object does not close the log that it stands in", () => {
  for (const key of ["constructor", "prototype", "__proto__"]) {
    const meta: unknown = JSON.parse(`{"${key}":{"a":1}}`);
    const page = { events: [{ type: "tool/result", data: { meta } }], hasMore: false };
    const wire = JSON.stringify(transformer.output.serialize(page));
    const read = superjson.deserialize<typeof page>(JSON.parse(wire));
    assert.equal(read.events[0]?.type, "tool/result");
    // the reader's own copy leaves a prototype out
    if (key !== "__proto__") assert.deepEqual(read, page);
  }
  const dated = { at: new Date(5) };
  assert.deepEqual(superjson.deserialize(JSON.parse(JSON.stringify(transformer.output.serialize(dated)))), dated);
});
