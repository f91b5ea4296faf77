import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { isAppError, type ProviderId } from "@gantry/contracts";
import { catalogData, checkRows, composeOrg, gateValue, makeCatalog, profileLayers, profileNames, standardRows } from "../src/index.ts";

const provider = {
  id: randomUUID() as ProviderId,
  slug: "acme",
  kind: "openai_compatible" as const,
  baseUrl: "https://models.example",
  models: ["m"],
};

test("every profile composes without a warning or a problem", () => {
  for (const profile of profileNames) {
    const { rows, warnings, problems } = composeOrg({ profile, providers: [provider], facts: {} });
    assert.deepEqual([warnings, problems], [[], []], profile);
    assert.ok(rows.some(({ outcome }) => outcome.state === "mounts"));
  }
});

test("the rows of an org's providers come last, from the platform", () => {
  const { rows, warnings, problems } = composeOrg({
    providers: [provider, { ...provider, id: randomUUID() as ProviderId, kind: "demo" }],
    facts: {},
  });
  assert.deepEqual([warnings, problems], [[], []]);
  assert.deepEqual(
    rows.slice(-2).map(({ origin, row }) => [origin, row.name]),
    [
      ["providers", "llm-openai-compatible"],
      ["providers", "llm-demo"],
    ],
  );
});

test("whether a provider may be inside the network is the installation's word: an org layer cannot say it", () => {
  const insecure = (facts: object, layers = {}) =>
    composeOrg({ providers: [provider], facts: facts as never, ...layers }).mounts.at(-1)?.config?.allowInsecure;
  assert.equal(insecure({}), false);
  assert.equal(insecure({ "platform.privateHosts": true }), true);
  const patch = {
    id: `provider-${provider.id}`,
    config: { providerId: provider.id, slug: "x", baseUrl: "http://10.0.0.1", models: [], allowInsecure: true },
  };
  const layers = [{ label: "org@1", kind: "org" as const, patches: [patch] }];
  assert.equal(insecure({}, { layers }), false);
});

test("a shipped preset revision keeps its bytes: sessions are pinned to it", () => {
  const hash = createHash("sha256").update(JSON.stringify(standardRows)).digest("hex");
  assert.equal(hash, "65362375fea0c0bdab89ca068e54541432d23cee49fe33cc4b81f8f4d89f70eb");
  assert.ok(gateValue(standardRows).ok);
  assert.deepEqual(checkRows(standardRows, "$"), []);
  for (const { name, config = {} } of standardRows) {
    const entry = catalogData.find(name);
    assert.ok(entry?.planes.includes("preset") && !entry.planned, name);
    assert.deepEqual(catalogData.checkConfig(name, config as never), [], name);
  }
});

test("R-17 every limit is about a field that its plugin has, and the plugin's own default is within it", () => {
  let limited = 0;
  for (const { name, config, limits = [] } of catalogData.entries) {
    const fields = (config.properties ?? {}) as Record<string, { type?: string; default?: unknown }>;
    for (const { field, min = -Infinity, max = Infinity, allowed } of limits) {
      const schema = fields[field];
      const label = `${name}.${field}`;
      assert.ok(schema, label);
      const { default: own } = schema;
      if (allowed) assert.ok(own === undefined || allowed.some((one) => one === own), label);
      else assert.ok(schema.type === "integer" && (own === undefined || (Number(own) >= min && Number(own) <= max)), label);
      limited += 1;
    }
  }
  assert.ok(limited > 20);
});

test("KN-078 unknown profiles are refused with the ones there are; inherited names are no plugin", () => {
  for (const name of ["no-such", "Web", "__proto__", "constructor"]) {
    assert.throws(
      () => profileLayers(name),
      (error) => isAppError(error, "NOT_FOUND") && error.message.includes(profileNames.join(", ")),
    );
  }
  for (const name of ["constructor", "toString", "__proto__"]) assert.equal(catalogData.find(name), null);
});

test("the catalogue's version changes with its data; two entries of one name are a mistake", () => {
  const [first] = catalogData.entries;
  assert.ok(first);
  assert.notEqual(makeCatalog([first]).version, makeCatalog([{ ...first, version: "9" }]).version);
  assert.throws(() => makeCatalog([first, first]), /one name/);
  assert.match(catalogData.version, /^[0-9a-f]{16}$/);
});
