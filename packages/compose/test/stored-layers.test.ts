import assert from "node:assert/strict";
import { test } from "node:test";
import { composeStored, dumpText } from "../src/index.ts";

const stored = (kind: "plan" | "org" | "project", source: string, bundles: readonly string[] = []) => ({
  kind,
  label: `${kind}@7`,
  bundles,
  source,
});
const given = { providers: [], facts: { "plan.tier": "team" } };
const retries = (count: number) => `- {id: llm-retry, config: {maxRetries: ${count}}}\n`;
const retriesOf = ({ composition }: ReturnType<typeof composeStored>) => composition.mounts.find(({ id }) => id === "llm-retry")?.config;

test("R-12 stored layers and their bundles apply in the order of their kinds, in whatever order they are given", () => {
  const layers = [stored("org", retries(3), ["patient-retries"]), stored("plan", retries(4), ["quiet-retries"])];
  const whole = composeStored({ ...given, layers });
  assert.deepEqual(whole, composeStored({ ...given, layers: layers.toReversed() }));
  assert.deepEqual(retriesOf(whole), { maxRetries: 3 });
  const bundlesOnly = composeStored({ ...given, layers: layers.map((layer) => ({ ...layer, source: "[]" })) });
  assert.deepEqual(retriesOf(bundlesOnly), { maxRetries: 20, baseDelayMs: 2_000, maxDelayMs: 600_000 }, "the org's bundle is the last");
  assert.match(dumpText(whole.composition, { resolved: true }), /quiet-retries@1, patient-retries@1, plan@7, org@7/);
  assert.deepEqual(whole.unread, []);
});

test("D-6 a layer that cannot be read is left out and told with its line; one that lies after what is asked for is not looked at", () => {
  const layers = [stored("plan", retries(4)), stored("org", "- id: llm-retry\n  config: !!js 1\n", ["no-such-bundle"])];
  const whole = composeStored({ ...given, layers });
  assert.deepEqual(
    whole.unread.map(({ label, kind, issues }) => [label, kind, issues[0]?.line]),
    [["org@7", "org", 2]],
  );
  assert.deepEqual([retriesOf(whole), whole.composition.problems.map(({ code }) => code)], [{ maxRetries: 4 }, ["BUNDLE_UNKNOWN"]]);
  const below = composeStored({ ...given, layers, upTo: "plan" });
  assert.deepEqual([below.unread, below.composition.problems, retriesOf(below)], [[], [], { maxRetries: 4 }]);
  const bundles = composeStored({ ...given, layers, upTo: "bundle" });
  assert.deepEqual([bundles.unread, bundles.composition.problems, retriesOf(bundles)], [[], [], undefined]);
});
