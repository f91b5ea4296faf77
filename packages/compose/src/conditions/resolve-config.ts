import type { Json } from "@gantry/contracts";
import { isObject, own } from "../json.ts";
import { evaluate, readValue } from "./evaluate.ts";
import type { Facts } from "./facts.ts";
import type { Condition } from "./vocabulary.ts";

/** Config with its facts and choices put in. A secret stays the reference it is: it never becomes a text here (E-10). */
export function resolveConfig(value: Json, facts: Facts): Json {
  if (Array.isArray(value)) return value.map((item: Json) => resolveConfig(item, facts));
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, "$literal")) return own(value, "$literal") as Json;
  if (Object.hasOwn(value, "$secret")) return value as Json;
  if (Object.hasOwn(value, "$fact")) return readValue(value, facts);
  if (Object.hasOwn(value, "$if")) {
    const branch = evaluate(own(value, "$if") as Condition, facts) ? "then" : "else";
    return resolveConfig((own(value, branch) ?? null) as Json, facts);
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolveConfig(member as Json, facts)]));
}

/** The facts that a row's `disabled` and `config` ask for; they are part of the composition's hash. */
export function factsIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) factsIn(item, found);
  if (!isObject(value) || Object.hasOwn(value, "$literal")) return found;
  const name = own(value, "$fact");
  if (typeof name === "string") found.add(name);
  for (const member of Object.values(value)) factsIn(member, found);
  return found;
}
