// biome-ignore-all lint/suspicious/noThenProperty: "then" is a word of the format
import assert from "node:assert/strict";
import { test } from "node:test";
import { fastestOf } from "@gantry/testing/fastest-of";
import { type Condition, checkCondition, checkLayerText, evaluate, type Facts } from "../src/index.ts";
import { composed, layer, mounted, rowOf } from "./support/layers.ts";

const facts: Facts = { "plan.tier": "pro", "plan.seats": 5, "org.flag.beta": true };
const tier = { $fact: "plan.tier" };
const seats = { $fact: "plan.seats" };
const region = { $fact: "platform.region" };

test("KN-079 every operator: truth table", () => {
  const table: [Condition, boolean][] = [
    [true, true],
    [false, false],
    [{ $all: [] }, true],
    [{ $all: [true, true] }, true],
    [{ $all: [true, false] }, false],
    [{ $any: [] }, false],
    [{ $any: [false, true] }, true],
    [{ $any: [false, false] }, false],
    [{ $not: true }, false],
    [{ $not: false }, true],
    [{ $eq: [tier, "pro"] }, true],
    [{ $eq: [tier, "free"] }, false],
    [{ $eq: [region, null] }, true],
    [{ $ne: [tier, "free"] }, true],
    [{ $ne: [tier, "pro"] }, false],
    [{ $in: [tier, ["free", "pro"]] }, true],
    [{ $in: [tier, []] }, false],
    [{ $in: [tier, [{ $fact: "plan.tier" }]] }, true],
    [{ $lt: [seats, 6] }, true],
    [{ $lt: [seats, 5] }, false],
    [{ $lte: [seats, 5] }, true],
    [{ $lte: [seats, 4] }, false],
    [{ $gt: [seats, 4] }, true],
    [{ $gt: [seats, 5] }, false],
    [{ $gte: [seats, 5] }, true],
    [{ $gte: [seats, 6] }, false],
    [{ $eq: [{ $fact: "org.flag.beta" }, true] }, true],
  ];
  for (const [condition, expected] of table) {
    assert.deepEqual(checkCondition(condition, "$"), [], JSON.stringify(condition));
    assert.equal(evaluate(condition, facts), expected, JSON.stringify(condition));
  }
});

test("KN-079 `default` is used only when the fact is absent; absent numbers compare as false", () => {
  assert.equal(evaluate({ $eq: [{ $fact: "plan.tier", default: "free" }, "pro"] }, facts), true);
  assert.equal(evaluate({ $eq: [{ $fact: "platform.region", default: "eu" }, "eu"] }, facts), true);
  for (const operator of ["$lt", "$lte", "$gt", "$gte"]) {
    assert.equal(evaluate({ [operator]: [{ $fact: "plan.seats" }, 5] } as unknown as Condition, {}), false, operator);
  }
  assert.equal(evaluate({ $eq: [{ $fact: "plan.tier", default: "x" }, "x"] }, { "plan.tier": "" }), false);
});

test("KN-078 KN-079 wrong forms, types and facts are refused when saved", () => {
  const wrong: unknown[] = [
    "true",
    null,
    1,
    [],
    {},
    { $eq: [tier, "pro"], $not: true },
    { $fact: "org.flag.beta" },
    { $all: true },
    { $not: [true] },
    { $eq: [tier] },
    { $eq: [tier, "a", "b"] },
    { $eq: [tier, 3] },
    { $eq: ["a", 1] },
    { $ne: [tier, { $fact: "plan.seats" }] },
    { $in: [tier, "pro"] },
    { $in: [tier, ["pro", 3]] },
    { $lt: [tier, 3] },
    { $gt: [seats, "3"] },
    { $gte: [seats, null] },
    { $eq: [{ $fact: "plan.seats", default: "many" }, 3] },
    { $eq: [{ $fact: "plan.tier", other: 1 }, "a"] },
    { $eq: [{ $fact: "unknown.fact" }, "a"] },
    { $eq: [{ $fact: "toString" }, "a"] },
    { $eq: [{ $fact: "toString" }, null] },
    { $eq: [{ $fact: "hasOwnProperty" }, { $fact: "hasOwnProperty" }] },
    { $eq: [{ $fact: "constructor" }, "a"] },
    { $eq: [{ $fact: "org.flag." }, true] },
    { $eq: [{ $fact: 3 }, 3] },
  ];
  for (const condition of wrong) assert.notDeepEqual(checkCondition(condition, "$"), [], JSON.stringify(condition));
  const declared = { "org.settings.lang": "string" } as const;
  assert.deepEqual(checkCondition({ $eq: [{ $fact: "org.settings.lang" }, "de"] }, "$", declared), []);
});

test("KN-080 disabled false, true and by condition; a condition on name, id, isolate, inject or group is refused", () => {
  const rows = layer("rows", [
    {
      insert: [
        { id: "a", name: "loop", disabled: false },
        { id: "b", name: "loop", disabled: true },
        { id: "c", name: "loop", disabled: { $ne: [tier, "pro"] } },
        { id: "d", name: "loop", disabled: { $eq: [tier, "pro"] } },
        {
          id: "g",
          name: "cordis:group",
          group: true,
          disabled: { $eq: [{ $fact: "profile.name" }, "web"] },
          config: [{ id: "inner", name: "loop" }],
        },
      ],
    },
  ]);
  const composition = composed([rows], facts);
  assert.deepEqual(mounted(composition), ["a", "c"]);
  assert.equal(rowOf(composition, "g")?.children?.[0]?.outcome.state, "disabled");
  assert.deepEqual(composition.facts, { "plan.tier": "pro", "profile.name": "web" });

  const condition = '{"$if": true, "then": "a", "else": "b"}';
  for (const row of [
    `{"id": "a", "name": ${condition}}`,
    `{"id": ${condition}, "name": "a"}`,
    `{"id": "a", "name": "cordis:group", "config": [], "group": ${condition}}`,
    `{"id": "a", "name": "b", "isolate": ${condition}}`,
    `{"id": "a", "name": "b", "isolate": {"shell": ${condition}}}`,
    `{"id": "a", "name": "b", "inject": ${condition}}`,
    `{"id": "a", "name": "b", "inject": [${condition}]}`,
  ]) {
    assert.notDeepEqual(checkLayerText(`[{"insert": [${row}]}]`), [], row);
  }
});

test("config holds facts, choices, literals and references to secrets; operators out of place are refused", () => {
  const config = {
    tier,
    region: { $fact: "platform.region", default: "eu" },
    big: { $if: { $gt: [seats, 3] }, then: { size: [seats] }, else: "small" },
    schema: { $literal: { $ref: "#/x", $fact: "plan.seats.none" } },
    key: { $secret: "api-key" },
  };
  const composition = composed([layer("rows", [{ insert: [{ id: "a", name: "loop", config }] }])], facts);
  assert.deepEqual(composition.mounts[0]?.config, {
    tier: "pro",
    region: "eu",
    big: { size: [5] },
    schema: { $ref: "#/x", $fact: "plan.seats.none" },
    key: { $secret: "api-key" },
  });
  assert.deepEqual(composition.rows[0]?.row.config, config);
  assert.deepEqual(Object.keys(composition.facts), ["plan.seats", "plan.tier", "platform.region"]);
  for (const bad of [
    { $if: true, then: 1 },
    { $if: "yes", then: 1, else: 2 },
    { $if: true, then: 1, else: 2, more: 3 },
    { $eq: [1, 1] },
    { $secret: 3 },
    { $secret: "a", b: 1 },
    { $fact: "no.such" },
    { $literal: 1, more: 2 },
  ]) {
    assert.notDeepEqual(checkLayerText(JSON.stringify([{ id: "a", config: { x: bad } }])), [], JSON.stringify(bad));
  }
});

test("KN-082 evaluating a layer of 256 KiB stays under 20 ms", () => {
  const one: Condition = { $all: [{ $eq: [tier, "pro"] }, { $lt: [seats, 9] }, { $not: { $in: [region, ["eu", "us"]] } }] };
  const count = Math.floor((256 * 1024) / JSON.stringify(one).length);
  const condition: Condition = { $all: Array.from({ length: count }, () => one) };
  const took = fastestOf(() => assert.equal(evaluate(condition, facts), true), { enoughMs: 20 });
  assert.ok(took < 20, `${took} ms`);
});
