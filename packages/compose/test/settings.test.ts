import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { catalogData, checkSection, effectiveSettings, type SettingsNamespace, settingsNamespaces } from "../src/index.ts";

const namespace = (name: string): SettingsNamespace => {
  const found = settingsNamespaces.find((one) => one.name === name);
  assert.ok(found);
  return found;
};
const [presets, models, retry] = [namespace("presets"), namespace("models"), namespace("llm-retry")];

test("KN-098 later levels win field by field: schema, row, org, workspace, user", () => {
  assert.deepEqual(effectiveSettings(retry, {}), { maxRetries: 5, maxDelayMs: 10_000 });
  const base = { maxRetries: 3, baseDelayMs: 700, mode: "always" };
  assert.deepEqual(effectiveSettings(retry, { base }), { maxRetries: 3, maxDelayMs: 10_000 });
  assert.deepEqual(effectiveSettings(retry, { base, org: { maxDelayMs: 60_000 } }), { maxRetries: 3, maxDelayMs: 60_000 });
  const route = (provider: string) => ({ provider, model: "m" });
  const levels = { org: route("of-org"), workspace: route("of-workspace"), user: route("of-user") };
  assert.equal(effectiveSettings(models, levels).provider, "of-user");
  assert.equal(effectiveSettings(models, { org: levels.org, workspace: levels.workspace }).provider, "of-workspace");
});

test("KN-098 a level that is reset to nothing inherits again", () => {
  const org = { default: "minimal" };
  assert.deepEqual(effectiveSettings(presets, { org, workspace: { default: "ptc" } }), { default: "ptc" });
  assert.deepEqual(effectiveSettings(presets, { org, workspace: {} }), org);
  assert.deepEqual(effectiveSettings(presets, { org: {}, workspace: {} }), { default: "standard" });
});

test("KN-098 a level that may not write a namespace counts for nothing", () => {
  assert.deepEqual(effectiveSettings(presets, { user: { default: "minimal" } }), { default: "standard" });
  assert.deepEqual(effectiveSettings(retry, { workspace: { maxRetries: 0 }, user: { maxRetries: 0 } }), effectiveSettings(retry, {}));
});

test("what was stored and is refused by now counts for nothing, and is told", () => {
  const old = { maxRetries: 99 };
  assert.deepEqual(effectiveSettings(retry, { base: { maxRetries: 4 }, org: old }).maxRetries, 4);
  assert.match(checkSection(retry, old)[0] ?? "", /^maxRetries: /);
  for (const bad of [{ other: 1 }, [], null, "x", { maxRetries: 1.5 }]) assert.notDeepEqual(checkSection(retry, bad), []);
  assert.deepEqual(checkSection(retry, {}), []);
});

test("a model is named with its provider or not at all, so that levels never mix the two", () => {
  assert.deepEqual(checkSection(models, { model: "m" }), ["A model belongs to a provider: give both or neither."]);
  assert.deepEqual(effectiveSettings(models, { org: { provider: "p", model: "m" }, user: { model: "other" } }), {
    provider: "p",
    model: "m",
  });
});

test("the value is frozen through and shares nothing with what it was made of", () => {
  const nested: SettingsNamespace = {
    ...retry,
    schema: z.object({
      shape: z
        .object({ a: z.number(), b: z.number(), list: z.array(z.number()) })
        .partial()
        .default({}),
    }),
    section: z.record(z.string(), z.unknown()),
  };
  const org = { shape: { a: 1, list: [1, 2] } };
  const value = effectiveSettings(nested, { base: { shape: { a: 0, b: 2 } }, org }) as { shape: { list: number[] } };
  assert.deepEqual(value, { shape: { a: 1, b: 2, list: [1, 2] } });
  assert.ok(Object.isFrozen(value) && Object.isFrozen(value.shape) && Object.isFrozen(value.shape.list));
  assert.notEqual(value.shape.list, org.shape.list);
});

test("a section named __proto__ gives nobody anything", () => {
  const section = JSON.parse('{"__proto__":{"maxRetries":1}}');
  assert.notDeepEqual(checkSection(retry, section), []);
  assert.equal(effectiveSettings(retry, { org: section }).maxRetries, 5);
});

test("namespaces have names of their own, a default that holds, and bounds that the plugin's row has too", () => {
  assert.equal(new Set(settingsNamespaces.map(({ name }) => name)).size, settingsNamespaces.length);
  for (const one of settingsNamespaces) {
    assert.match(one.name, /^[a-z0-9][a-z0-9-]*$/);
    assert.deepEqual(checkSection(one, effectiveSettings(one, {})), [], one.name);
    const limits = one.plugin ? (catalogData.find(one.plugin)?.limits ?? []) : [];
    for (const { field, max } of limits) {
      if (max === undefined || !Object.hasOwn(one.schema.shape, field)) continue;
      assert.deepEqual([checkSection(one, { [field]: max }), checkSection(one, { [field]: max + 1 }).length], [[], 1], field);
    }
  }
});
