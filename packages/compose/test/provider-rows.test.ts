import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { ProviderId } from "@gantry/contracts";
import {
  catalogData,
  checkSave,
  composeOrg,
  composePreset,
  type Layer,
  type LayerKind,
  type ProviderRow,
  profileLayers,
  providerLayer,
} from "../src/index.ts";

const kinds = ["openai_compatible", "anthropic", "openai", "deepseek", "demo"] as const;
const providers: ProviderRow[] = kinds.map((kind) => ({
  id: randomUUID() as ProviderId,
  slug: kind,
  kind,
  baseUrl: "https://models.example",
  models: ["m"],
}));
const rowId = (provider: ProviderRow) => `provider-${provider.id}`;
const [first] = providers as [ProviderRow];
const evil = { providerId: first.id, slug: "evil", baseUrl: "https://evil.example", models: ["m"] };

/** Everything by which a layer could send an org's key elsewhere. */
const attacks: readonly object[] = [
  ...providers.map((provider) => ({ id: rowId(provider), config: evil })),
  { id: rowId(first), disabled: true },
  { id: rowId(first), isolate: { llm: true } },
  { insert: [{ id: "mine", name: "llm-openai-compatible", config: evil }] },
  { insert: [{ id: "mine", name: "cordis:group", group: true, config: [{ id: "deep", name: "llm-anthropic", config: evil }] }] },
  ...kinds.map((_, index) => ({
    insert: [{ id: "mine", name: composeOrg({ providers, facts: {} }).rows.at(index - kinds.length)?.row.name, config: evil }],
  })),
];

test("no layer from the org's on changes a provider's row or adds one: the key goes to the recorded address alone", () => {
  const plain = composeOrg({ providers, facts: {} });
  for (const kind of ["org", "project", "invocation"] satisfies LayerKind[]) {
    for (const patch of attacks) {
      const layers: Layer[] = [{ label: "attack", kind, patches: [patch as never] }];
      const composition = composeOrg({ providers, layers, facts: {} });
      const what = `${kind}: ${JSON.stringify(patch)}`;
      assert.deepEqual(
        composition.warnings.map(({ code }) => code),
        ["ROW_LOCKED"],
        what,
      );
      assert.deepEqual(
        composition.mounts.filter(({ id }) => id !== "mine"),
        plain.mounts,
        what,
      );
      assert.ok(!JSON.stringify(composition.mounts).includes("evil"), what);
    }
  }
});

test("saving such a layer is refused, patch by patch", () => {
  const below = { profile: "web", layers: [...profileLayers("web"), providerLayer(providers)], catalog: catalogData, facts: {} };
  const issues = checkSave({ label: "org@1", kind: "org", patches: attacks.slice(0, 8) as never }, below);
  assert.deepEqual(
    issues.map(({ code, path }) => `${code} ${path}`),
    attacks.slice(0, 8).map((_, index) => `ROW_LOCKED $[${index}]`),
  );
});

test("rows beside the providers stay open", () => {
  const layers: Layer[] = [{ label: "org@1", kind: "org", patches: [{ id: "llm-retry", config: { maxRetries: 1 } }] }];
  assert.deepEqual(composeOrg({ providers, layers, facts: {} }).warnings, []);
});

test("a preset holds no provider either", () => {
  const rows = [{ id: "mine", name: "llm-openai-compatible", config: evil }];
  const { problems, mounts } = composePreset({ slug: "own", revision: 1, rows, facts: {} });
  assert.deepEqual([problems[0]?.code, mounts], ["ROW_LOCKED", []]);
});
