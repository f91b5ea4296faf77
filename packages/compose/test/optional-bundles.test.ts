import assert from "node:assert/strict";
import { test } from "node:test";
import { composeOrg, type Layer, optionalBundles, profileBundles, profileNames, readLayer } from "../src/index.ts";

const of = (bundles: readonly string[], layers: readonly Layer[] = [], facts = {}) => composeOrg({ providers: [], bundles, layers, facts });
const retry = ({ mounts }: ReturnType<typeof of>) => mounts.find(({ id }) => id === "llm-retry")?.config;
const mounted = ({ mounts }: ReturnType<typeof of>) => mounts.map(({ id }) => id);

test("each optional bundle composes on the web profile, changes something, and is told as its origin", () => {
  const plain = of([]);
  for (const { name, version, title, description } of optionalBundles) {
    const composition = of([name]);
    assert.deepEqual([composition.problems, composition.warnings], [[], []], name);
    assert.notEqual(composition.hash, plain.hash, name);
    const label = `${name}@${version}`;
    assert.ok(
      composition.rows.some(({ origin, patchedBy }) => origin === label || patchedBy.includes(label)),
      name,
    );
    assert.ok(title && description, name);
  }
});

test("dry-run takes the place of the sandbox's commands, and leaves its files", () => {
  const ids = mounted(of(["dry-run"]));
  assert.deepEqual(
    [ids.includes("subprocess-sandbox"), ids.includes("subprocess-dry-run"), ids.includes("fs-sandbox")],
    [false, true, true],
  );
});

test("bundles apply in the order of the list, later wins, after the profile's and before the plan's and the org's layers", () => {
  assert.equal(retry(of(["quiet-retries", "patient-retries"]))?.maxRetries, 20);
  assert.equal(retry(of(["patient-retries", "quiet-retries"]))?.maxRetries, 2);
  const layer = (kind: "plan" | "org", maxRetries: number) =>
    readLayer(kind, kind, { data: [{ id: "llm-retry", config: { maxRetries } }] });
  assert.equal(retry(of(["quiet-retries"], [layer("plan", 3)]))?.maxRetries, 3);
  assert.equal(retry(of(["quiet-retries"], [layer("org", 4), layer("plan", 3)]))?.maxRetries, 4);
});

test("a second mention changes nothing", () => {
  assert.equal(of(["quiet-retries", "quiet-retries"]).hash, of(["quiet-retries"]).hash);
  assert.equal(of(["quiet-retries", "patient-retries", "quiet-retries"]).hash, of(["quiet-retries", "patient-retries"]).hash);
});

test("an unknown bundle, an inherited name and one that the plan has not are problems that name the place; the rest still applies", () => {
  const composition = of(["quiet-retries", "no-such", "constructor", "patient-retries"], [], { "plan.tier": "free" });
  assert.deepEqual(
    composition.problems.map(({ code, path }) => `${code} ${path}`),
    ["BUNDLE_UNKNOWN bundles[1]", "BUNDLE_UNKNOWN bundles[2]", "BUNDLE_NOT_ENTITLED bundles[3]"],
  );
  assert.equal(retry(composition)?.maxRetries, 2);
  assert.deepEqual(of(["patient-retries"], [], { "plan.tier": "team" }).problems, []);
});

test("KN-076 up to the bundles, an org's choice of bundles cannot stand in the way", () => {
  const bare = composeOrg({ providers: [], bundles: ["no-such", "dry-run"], facts: {}, upTo: "bundle" });
  assert.deepEqual(bare.problems, []);
  assert.ok(mounted(bare).includes("subprocess-sandbox"));
  assert.ok(mounted(composeOrg({ providers: [], bundles: ["dry-run"], facts: {}, upTo: "plan" })).includes("subprocess-dry-run"));
});

test("profiles are the base bundle and their surface; sdk-minimal stands alone", () => {
  assert.deepEqual(profileNames, ["web", "headless", "sdk", "sdk-minimal"]);
  const names = (profile: string) => profileBundles(profile).map(({ name }) => name);
  assert.deepEqual(profileNames.map(names), [["base", "web"], ["base", "headless"], ["base", "sdk"], ["sdk-minimal"]]);
  assert.ok(profileNames.every((name) => /^[a-z0-9][a-z0-9-]*$/.test(name)));
  const minimal = composeOrg({ profile: "sdk-minimal", providers: [], facts: {} });
  assert.deepEqual(minimal.mounts.find(({ id }) => id === "system-prompt")?.config, {
    includeHarnessIdentity: false,
    includeRuntimeContext: false,
  });
});
