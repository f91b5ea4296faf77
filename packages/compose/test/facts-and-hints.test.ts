import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogData, checkCondition, checkPreset, editorHints, factType, orgFacts } from "../src/index.ts";

const plan = { tier: "team", seats: 25, flags: { beta: true, old: false, "Not A Name": true } };

test("an org's facts are those of its plan, its flags and the platform; what is not known is absent", () => {
  assert.deepEqual(orgFacts(plan, { os: "linux", privateHosts: false }), {
    "org.flag.beta": true,
    "org.flag.old": false,
    "plan.seats": 25,
    "plan.tier": "team",
    "platform.os": "linux",
    "platform.privateHosts": false,
  });
  const placed = orgFacts(plan, { os: "linux", privateHosts: true, release: "0.1.0", region: "eu" });
  assert.deepEqual([placed["platform.release"], placed["platform.region"]], ["0.1.0", "eu"]);
});

test("every fact of an org is in the registry, with its type, so that a condition may ask for it", () => {
  for (const [name, value] of Object.entries(orgFacts(plan, { os: "linux", privateHosts: true, release: "1", region: "eu" }))) {
    assert.equal(factType(name), typeof value, name);
    assert.deepEqual(checkCondition({ $eq: [{ $fact: name }, value] }, "$"), []);
  }
});

test("a flag cannot pass for another fact", () => {
  const flags = { "../plan.tier": true, __proto__: true, "plan.tier": true } as Record<string, boolean>;
  const facts = orgFacts({ ...plan, flags }, { os: "linux", privateHosts: false });
  assert.deepEqual(
    Object.keys(facts).filter((name) => name.startsWith("org.")),
    [],
  );
  assert.equal(facts["plan.tier"], "team");
});

test("an editor's hints are plain JSON, name every plugin with a line for people, and every fact that a check takes", () => {
  const hints = editorHints();
  assert.deepEqual(JSON.parse(JSON.stringify(hints)), hints);
  assert.deepEqual(hints.plugins.map(({ name }) => name).sort(), catalogData.entries.map(({ name }) => name).sort());
  for (const { name, description } of hints.plugins)
    assert.ok(/^[A-Z].*\.$/.test(description) && description.length <= 90, `${name}: ${description}`);
  for (const { name, type } of hints.facts) assert.equal(factType(name.replace("<name>", "any")), type);
  for (const service of ["tools", "fs", "subprocess", "systemPrompt"]) assert.ok(hints.services.includes(service), service);
});

test("what the hints offer for the preset plane is taken there, and what they do not is not", () => {
  for (const { name, planes } of editorHints().plugins) {
    const { problems } = checkPreset({ slug: "own", source: JSON.stringify([{ id: "x", name }]), facts: {} });
    assert.equal(
      problems.some(({ code }) => code === "PLUGIN_PLANE" || code === "ROW_LOCKED"),
      !planes.includes("preset"),
      name,
    );
  }
});
