import type { Json, JsonObject } from "@gantry/contracts";

/** Dotted paths into a section. Own members only, and nothing given is changed. */

const isMap = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

const member = (value: Json | undefined, key: string): Json | undefined =>
  isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export const valueAt = (value: Json | undefined, path: string): Json | undefined =>
  path.split(".").reduce<Json | undefined>((inner, key) => member(inner, key), value);

/** Null when a part of the path holds something else than a map. */
export function withValue(value: JsonObject, path: string, given: Json): JsonObject | null {
  const [key, rest] = split(path);
  if (rest === null) return { ...value, [key]: given };
  const inner = member(value, key) ?? {};
  const changed = isMap(inner) ? withValue(inner, rest, given) : null;
  return changed && { ...value, [key]: changed };
}

/** A map that becomes empty goes with its last member, so that what lies below is inherited again. */
export function withoutValue(value: JsonObject, path: string): JsonObject {
  const [key, rest] = split(path);
  const inner = member(value, key);
  if (inner === undefined) return value;
  const changed = rest !== null && isMap(inner) ? withoutValue(inner, rest) : null;
  if (rest !== null && (changed === null || changed === inner)) return value;
  const { [key]: _gone, ...others } = value;
  return changed && Object.keys(changed).length > 0 ? { ...value, [key]: changed } : others;
}

/** Maps are merged, null takes a member out, everything else replaces what was there. */
export function merged(value: JsonObject, changes: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([key]) => !Object.hasOwn(changes, key));
  const given = Object.entries(changes).flatMap(([key, change]): [string, Json][] => {
    if (change === null) return [];
    const before = member(value, key);
    return [[key, isMap(change) ? merged(isMap(before) ? before : {}, change) : change]];
  });
  return Object.fromEntries([...kept, ...given]);
}

/** Whether `merged` writes anew or takes out what is at a path, be it with a part around it. */
export function isChangedAt(changes: JsonObject, path: string): boolean {
  const [key, rest] = split(path);
  const change = member(changes, key);
  return change !== undefined && (rest === null || !isMap(change) || isChangedAt(change, rest));
}

function split(path: string): [key: string, rest: string | null] {
  const dot = path.indexOf(".");
  return dot < 0 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)];
}
