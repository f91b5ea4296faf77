import type { Json, JsonObject } from "@gantry/contracts";
import { detached, isObject } from "../json.ts";
import type { SettingsNamespace } from "./namespaces.ts";

/** `base`: from the row's config. A level that is left out, or is `{}`, inherits. */
export type SettingsSections = { readonly [level in "base" | "org" | "workspace" | "user"]?: JsonObject };

/**
 * The value that holds: schema defaults ← base ← org ← workspace ← user, of the levels that the namespace lets write (N-2). Sections are sparse; maps merge, all
 * else is replaced. A section that its schema refuses counts for nothing (N-4: what was stored before a schema changed must not stop a session); ask
 * {@link checkSection} to say so. Deep-frozen, shares nothing with its input.
 */
export function effectiveSettings(namespace: SettingsNamespace, sections: SettingsSections): JsonObject {
  const levels = (["org", "workspace", "user"] as const).filter((level) => namespace.levels.includes(level));
  const given = [ownFields(namespace, sections.base), ...levels.map((level) => sections[level])];
  const merged = given.reduce<JsonObject>((sum, section) => {
    if (section === undefined || checkSection(namespace, section).length > 0) return sum;
    return mergeSection(sum, section);
  }, {});
  return detached(namespace.schema.parse(merged) as JsonObject);
}

/** Why a level may not store this section, as sentences with the field in front; empty when it may. */
export function checkSection({ section }: SettingsNamespace, value: unknown): string[] {
  const found = section.safeParse(value).error?.issues ?? [];
  return found.map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message));
}

/** `over` laid on `under`: maps merge key by key, all else is replaced. */
function mergeSection(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isObject(below) && isObject(value) ? mergeSection(below as JsonObject, value as JsonObject) : value;
  }
  return merged;
}

/** A row's config has fields that are no settings: those stay out. */
function ownFields({ schema }: SettingsNamespace, base: JsonObject | undefined): JsonObject | undefined {
  return base && Object.fromEntries(Object.entries(base).filter(([field]) => Object.hasOwn(schema.shape, field)));
}
