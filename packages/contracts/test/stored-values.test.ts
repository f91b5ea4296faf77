import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseEvent, toLosslessJson } from "@gantry/contracts";

describe("AG-176 values on their way into the log", () => {
  test("a getter is refused and never run", () => {
    let reads = 0;
    const tricky = {
      get text() {
        reads += 1;
        return "x";
      },
    };
    assert.throws(() => toLosslessJson(tricky), TypeError);
    assert.throws(() => toLosslessJson([{ deep: tricky }]), TypeError);
    assert.equal(reads, 0);
  });

  test("an array has all its places, each with a plain value, and nothing else", () => {
    const decoratedHole = Object.assign(new Array(1), { extra: 2 });
    const symbolForHole = Object.assign(new Array(1), { [Symbol("s")]: 2 });
    const hidden = Object.defineProperty([1], 0, { enumerable: false });
    let reads = 0;
    const accessor = Object.defineProperty([1], 0, { enumerable: true, get: () => ++reads });
    class Items extends Array {}
    for (const odd of [decoratedHole, symbolForHole, hidden, accessor, Items.from([1]), Object.setPrototypeOf([1], null)])
      assert.throws(() => toLosslessJson(odd), TypeError);
    assert.equal(reads, 0);
    const shared = { a: 1 };
    assert.deepEqual(toLosslessJson([shared, shared, []]), [{ a: 1 }, { a: 1 }, []]);
  });

  test("a key named __proto__ is data and changes no prototype", () => {
    const copy = toLosslessJson(JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
    assert.equal("admin" in copy, false);
    assert.equal(JSON.stringify(copy), '{"__proto__":{"admin":true},"constructor":1}');
  });

  test("exotic prototypes and decorated arrays are refused; an object without a prototype is as good as any", () => {
    const inherited = Object.create({ admin: true });
    for (const odd of [inherited, new Map(), new Date(), Object.assign([1], { extra: 2 }), new Array(2)])
      assert.throws(() => toLosslessJson(odd), TypeError);
    assert.deepEqual(toLosslessJson(Object.assign(Object.create(null), { a: 1 })), { a: 1 });
  });
});

describe("AG-190 events of another release", () => {
  const stored = { seq: 3, time: 1, data: { anything: true } };

  test("an unknown type is refused, and told that a newer release wrote it", () => {
    assert.throws(() => parseEvent({ ...stored, type: "future/thing" }), /newer release/);
    for (const inherited of ["toString", "__proto__", "constructor"])
      assert.throws(() => parseEvent({ ...stored, type: inherited }), RangeError);
  });

  test("one that its writer marked as skippable is skipped", () => {
    assert.equal(parseEvent({ ...stored, type: "future/thing", ignorable: true }), null);
  });

  test("shapes from before the first release have no way in", () => {
    assert.throws(() => parseEvent({ ...stored, type: "request/header-delta" }), RangeError);
    const header = { header: { config: { provider: "p", model: "m" } }, reason: "fallback" };
    assert.throws(() => parseEvent({ ...stored, type: "request/header", data: header }));
  });
});
