import type { JsonObject } from "@gantry/contracts";
import type { Catalog, CatalogEntry, Plane } from "../catalog/entry.ts";
import { evaluate } from "../conditions/evaluate.ts";
import type { Facts } from "../conditions/facts.ts";
import { type Issue, indexPath, keyPath, sentence, shortened } from "../input/issue.ts";
import { isObject, own } from "../json.ts";

/** Why a row's plugin may not stand where it stands: unknown, wrong plane, not in the plan. */
export function checkPlugin(
  name: string,
  path: string,
  { catalog, plane, facts }: { catalog: Catalog; plane: Plane; facts: Facts },
): Issue[] {
  const entry = catalog.find(name);
  if (!entry) {
    // the row of a provider of a kind that is none has no name
    const message = `No plugin named "${shortened(String(name))}" is in the catalogue. Correct the name, or remove the row.`;
    return [{ code: "PLUGIN_UNKNOWN", path: keyPath(path, "name"), message }];
  }
  const issues: Issue[] = [];
  if (!entry.planes.includes(plane)) {
    const message = `${entry.name} belongs to the ${entry.planes.join(" or ")} plane and this is the ${plane} plane. Move the row.`;
    issues.push({ code: "PLUGIN_PLANE", path, message });
  }
  if (entry.entitled !== undefined && !evaluate(entry.entitled, facts)) {
    issues.push({
      code: "PLUGIN_NOT_ENTITLED",
      path,
      message: `${entry.name} is not part of this plan. Remove the row or change the plan.`,
    });
  }
  return issues;
}

/** Why a row's final config is refused by its plugin's schema, and secrets that stand outside their fields or as plain text (E-10). */
export function checkFinalConfig(catalog: Catalog, entry: CatalogEntry, config: JsonObject, path: string): Issue[] {
  const at = keyPath(path, "config");
  const wrong = catalog.checkConfig(entry.name, config).map((issue) => {
    const where = issue.path.reduce<string>((sum, key) => (typeof key === "number" ? indexPath(sum, key) : keyPath(sum, String(key))), at);
    return {
      code: "CONFIG_INVALID" as const,
      path: where,
      message: `${entry.name} refuses this: ${sentence(issue.message)} ${issue.advice}`,
    };
  });
  return [...wrong, ...checkSecrets(entry.secrets ?? [], config, at, "")];
}

function checkSecrets(fields: readonly string[], value: unknown, path: string, field: string): Issue[] {
  const isReference = own(value, "$secret") !== undefined;
  if (fields.includes(field)) {
    if (isReference) return [];
    return [{ code: "SECRET_MISPLACED", path, message: 'A secret is never written here. Store it and write {"$secret": "its-name"}.' }];
  }
  if (isReference)
    return [{ code: "SECRET_MISPLACED", path, message: "This field takes no secret. Move the reference to the field that does." }];
  if (Array.isArray(value)) return value.flatMap((item, index) => checkSecrets(fields, item, indexPath(path, index), field));
  if (!isObject(value)) return [];
  const below = (key: string) => (field === "" ? key : `${field}.${key}`);
  return Object.entries(value).flatMap(([key, member]) => checkSecrets(fields, member, keyPath(path, key), below(key)));
}
