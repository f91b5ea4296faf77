import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gantry/contracts";
import { merged, valueAt, withoutValue, withValue } from "../src/settings/json-path.ts";

const section: JsonObject = { host: "a", auth: { user: "u", deep: { token: "t" } }, list: [1, { x: 1 }] };

describe("N-3 paths into a section", () => {
  test("a value is read by its path, own members only", () => {
    assert.equal(valueAt(section, "auth.deep.token"), "t");
    for (const path of ["nobody", "auth.nobody", "host.length", "list.0", "constructor.name", "__proto__", ""])
      assert.equal(valueAt(section, path), undefined, path);
  });

  test("setting makes the maps on the way, and does not go through single values", () => {
    assert.deepEqual(withValue({}, "a.b.c", 1), { a: { b: { c: 1 } } });
    assert.deepEqual(withValue(section, "auth.user", "v"), { ...section, auth: { user: "v", deep: { token: "t" } } });
    assert.equal(withValue(section, "host.name", "v"), null);
    assert.equal(withValue(section, "list.0", "v"), null);
  });

  test("unsetting takes maps with it that are empty then, and nothing else", () => {
    assert.deepEqual(withoutValue(section, "auth.deep.token"), { ...section, auth: { user: "u" } });
    assert.deepEqual(withoutValue({ a: { b: { c: 1 } } }, "a.b.c"), {});
    for (const path of ["nobody", "auth.nobody", "host.length", "list.0"]) assert.equal(withoutValue(section, path), section, path);
  });

  test("merging goes into maps, replaces the rest and takes out what is null", () => {
    const changes = { auth: { user: null, more: 1 }, list: [2], port: 25, host: null, nobody: null };
    assert.deepEqual(merged(section, changes), { auth: { deep: { token: "t" }, more: 1 }, list: [2], port: 25 });
    assert.deepEqual(merged({ host: "a" }, { host: { name: "b" } }), { host: { name: "b" } });
  });

  test("E-3 a key of the language stays data, and what was given stays as it was", () => {
    const before = JSON.stringify(section);
    const evil = JSON.parse('{"__proto__": {"admin": true}}');
    for (const changed of [merged(section, evil), withValue(section, "__proto__.admin", true) ?? {}]) {
      assert.ok(Object.hasOwn(changed, "__proto__"));
      assert.equal(Object.getPrototypeOf(changed), Object.prototype);
      assert.equal(Reflect.get({}, "admin"), undefined);
    }
    assert.equal(JSON.stringify(section), before);
  });
});
