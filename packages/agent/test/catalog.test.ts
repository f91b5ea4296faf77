import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import {
  type CatalogEntry,
  catalogData,
  composeOrg,
  composePreset,
  hostRequirements,
  type MountRow,
  platformPresets,
} from "@gantry/compose";
import type { OrgId, ProviderId } from "@gantry/contracts";
import { type Context, closeRoot, createRoot, createScope, inspectRoot, mount, type Plugin, type Root } from "@gantry/kernel";
import { z } from "zod";
import { noAttachments } from "../src/attachments/store.ts";
import { catalog } from "../src/catalog.ts";
import { mountRows } from "../src/root/mount-rows.ts";
import { createSettingsStore } from "../src/settings/store.ts";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const withCode = catalogData.entries.filter(({ planned }) => !planned);

test("code and data of the catalogue name the same plugins; what is planned has no code", () => {
  assert.deepEqual(withCode.map(({ name }) => name).sort(), Object.keys(catalog).sort());
  for (const { name } of catalogData.entries.filter(({ planned }) => planned)) assert.ok(!Object.hasOwn(catalog, name), name);
});

test("what the data says a plugin needs and accepts is what its code says", () => {
  for (const entry of withCode) {
    const plugin = pluginOf(entry);
    assert.deepEqual([...entry.requires].sort(), [...(plugin.inject ?? [])].sort(), `${entry.name} requires`);
    // a plugin without a schema takes no notice of its config, so a key in it is a mistake
    const expected = schemaOf(plugin.Config instanceof z.ZodType ? plugin.Config : z.strictObject({}));
    assert.deepEqual(normal(entry.config), normal(expected), `${entry.name} config`);
  }
});

test("what the data says a plugin provides is what it provides when mounted", async () => {
  const provider = { id: randomUUID() as ProviderId, slug: "s", baseUrl: "https://models.example", models: ["m"] };
  const providers = (["openai_compatible", "anthropic", "openai", "deepseek", "demo"] as const).map((kind) => ({
    ...provider,
    id: randomUUID() as ProviderId,
    slug: kind,
    kind,
  }));
  const mounted = new Set<string>();
  // the second of these brings the plugins that take others' places
  for (const bundles of [[], ["dry-run"]]) {
    const { mounts } = composeOrg({ providers, bundles, facts: {} });
    for (const name of await mountedAsTold(mounts)) mounted.add(name);
  }
  assert.deepEqual(mounted, new Set(Object.keys(catalog)), "every plugin was mounted");
});

const flat = (rows: readonly MountRow[]): MountRow[] => rows.flatMap((row) => (row.children ? flat(row.children) : [row]));
/** The newest revision of the preset that has most, and the plugins for presets that no preset of the platform lists. */
const standard = composePreset({ ...(platformPresets.findLast(({ slug }) => slug === "standard") ?? assert.fail()), facts: {} }).mounts;
const listed = new Set(flat(standard).map(({ name }) => name));
const unlisted = withCode.filter(({ name, planes }) => !listed.has(name) && !planes.includes("host"));
const preset = [...standard, ...unlisted.map(({ name }) => ({ id: name, name, config: {} }))];

/** Mounts rows and the standard preset, compares what each provides with the data, and gives the plugins' names. */
async function mountedAsTold(mounts: readonly MountRow[]): Promise<Set<string>> {
  const root = createRoot({ name: `org ${randomUUID() as OrgId}`, logger: quiet });
  root.ctx.provide("credentials", { resolve: () => Promise.resolve(null) });
  root.ctx.provide("attachmentStore", noAttachments);
  root.ctx.provide("settingsStore", createSettingsStore().store);
  const options = { plugins: catalog, deadlineMs: 10_000 };
  assert.deepEqual(await mountRows(root.ctx, mounts, options), [], "the host");
  const scope = createScope(await hostOf(root), {});
  assert.deepEqual(await mountRows(scope.ctx, preset, options), [], "the preset");
  const { services, plugins } = inspectRoot(root);
  const rowNames = new Map(flat([...mounts, ...preset]).map(({ id, name }) => [id, name]));
  for (const { row, name } of plugins) {
    if (row === undefined) continue;
    // rows of a group are named after it
    const entry = catalogData.find(rowNames.get(row.split("/").at(-1) ?? "") ?? "");
    const provided = services.filter(({ provider: by }) => by === name).map((service) => service.name);
    assert.deepEqual(provided.sort(), [...(entry?.provides ?? [])].sort(), row);
  }
  await closeRoot(root);
  return new Set(rowNames.values());
}

test("the data names the package and version that the code comes from", async () => {
  for (const { name, package: from, version } of withCode) {
    const file = new URL(`../../${from.replace("@gantry/", "")}/package.json`, import.meta.url);
    const found = JSON.parse(await readFile(file, "utf8")) as { name: string; version: string };
    assert.deepEqual([found.name, found.version], [from, version], name);
  }
});

/** Where presets are mounted from: a plugin that has the host's services. */
async function hostOf(root: Root): Promise<Context> {
  const found = Promise.withResolvers<Context>();
  const inject = [...hostRequirements.services];
  mount(root.ctx, { name: "preset-host", inject, apply: (ctx: Context) => found.resolve(ctx) });
  return found.promise;
}

type Face = { inject?: readonly string[]; Config?: unknown };
const pluginOf = ({ name }: CatalogEntry): Face => catalog[name] as Plugin & Face;

/** What a person may write, so before defaults are put in. */
const schemaOf = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: "input" });

/** Without the dialect's name, and with `required` in one order. */
function normal(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === "$schema") return undefined;
    return key === "required" && Array.isArray(value) ? value.toSorted() : value;
  });
}
