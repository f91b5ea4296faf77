import assert from "node:assert/strict";
import { test } from "node:test";
import { type CatalogEntry, catalogData } from "@gantry/compose";
import type { Json, JsonObject } from "@gantry/contracts";
import { closeRoot, createRoot, type Plugin } from "@gantry/kernel";
import { randomOf } from "@gantry/testing/random";
import { z } from "zod";
import { catalog } from "../src/catalog.ts";
import { mountRows } from "../src/root/mount-rows.ts";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const withCode = catalogData.entries.filter(({ planned }) => !planned);

type Schema = { readonly [keyword: string]: Json };
const words = ["read-only", "workspace-write", "danger-full-access", "custom", "bash", "<unlisted-tools>", "/tmp/x", "", "A b"];

/** Values that a schema takes, with others beside and at the bounds: most configs are nearly right. */
function valueFor(schema: Schema, random: () => number): Json {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  if (random() < 0.02) return pick<Json>([null, true, -1, 1.5, "text", [], {}]);
  if (Array.isArray(schema.enum)) return random() < 0.95 ? pick(schema.enum) : "other";
  if (schema.type === "boolean") return random() < 0.5;
  if (schema.type === "string") return pick(words);
  if (schema.type === "integer" || schema.type === "number") {
    const bounds = [schema.minimum, schema.exclusiveMinimum, schema.maximum, schema.default].filter((one) => typeof one === "number");
    return pick([...bounds, ...bounds.map((one) => one + 1), ...bounds.map((one) => one - 1), 2, 3, 100, 4_096, 2_147_483_647]);
  }
  if (schema.type === "array") {
    return Array.from({ length: Math.floor(random() * 4) }, () => valueFor((schema.items ?? {}) as Schema, random));
  }
  const properties = Object.entries((schema.properties ?? {}) as { [name: string]: Schema });
  const required = Array.isArray(schema.required) ? schema.required : [];
  const chosen = properties.filter(([name]) => random() < (required.includes(name) ? 0.97 : 0.5));
  const fields = chosen.map(([name, field]): [string, Json] => [name, valueFor(field, random)]);
  return Object.fromEntries(random() < 0.02 ? [...fields, ["unknown", 1]] : fields);
}

/** Whether the plugin's own schema takes a config; what it checks at its start counts too, where it starts alone. */
async function isTaken({ name, requires, check }: CatalogEntry, config: JsonObject): Promise<boolean> {
  const { Config } = catalog[name] as Plugin & { readonly Config?: unknown };
  if (!(Config instanceof z.ZodType)) return Object.keys(config).length === 0; // it would take no notice of any
  if (!Config.safeParse(config).success) return false;
  if (!check || requires.length > 0) return true;
  const root = createRoot({ name: "config", logger: quiet });
  const faults = await mountRows(root.ctx, [{ id: name, name, config }], { plugins: catalog, deadlineMs: 5_000 });
  await closeRoot(root);
  return faults.length === 0;
}

test("what the catalogue says of a config is what its plugin says, rules between fields included", async () => {
  let [taken, refused, ruled] = [0, 0, 0];
  for (const [index, entry] of withCode.entries()) {
    const random = randomOf(index + 1);
    for (let round = 0; round < 300; round++) {
      const made = valueFor(entry.config, random);
      const config = (typeof made === "object" && made !== null && !Array.isArray(made) ? made : {}) as JsonObject;
      const found = catalogData.checkConfig(entry.name, config);
      assert.equal(found.length === 0, await isTaken(entry, config), `${entry.name} ${JSON.stringify(config)} ${JSON.stringify(found)}`);
      if (found.length === 0) taken += 1;
      else refused += 1;
      if (entry.check && found.some(({ path }) => path.length === 0)) ruled += 1;
    }
  }
  assert.ok(taken > 2_000 && refused > 1_000 && ruled > 100, `${taken} taken, ${refused} refused, ${ruled} by a rule`);
});
