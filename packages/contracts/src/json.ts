import { z } from "zod";

/** Lossless JSON: what survives `JSON.parse(JSON.stringify(x))` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** JSON inside a value that came out of a JSON column or `JSON.parse`: it is JSON already, and walking it again costs more than all the rest of a log. */
export const StoredJson = z.custom<Json>((value) => value !== undefined);

/** Levels of objects and lists that a value may have. */
export const maxJsonDepth = 200;

/**
 * A detached, deep-frozen copy of `value` (SES-4). `undefined` members are refused, not dropped. `levels`: more than the usual for what only carries such values.
 * @throws TypeError naming the path of the first part that JSON would lose: functions, BigInt, −0, NaN, cycles, class instances, accessors …
 */
export function toLosslessJson(value: unknown, levels = maxJsonDepth): Json {
  return copy(value, "$", [], levels);
}

function copy(value: unknown, path: string, parents: object[], levels: number): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value) || Object.is(value, -0)) throw new TypeError(`${path}: ${Object.is(value, -0) ? "-0" : value} is not JSON`);
    return value;
  }
  if (typeof value !== "object") throw new TypeError(`${path}: ${typeof value} is not JSON`);
  if (parents.includes(value)) throw new TypeError(`${path}: a cycle is not JSON`);
  if (levels === 0) throw new TypeError(`${path}: nested too deep`);
  parents.push(value);
  const result = Array.isArray(value) ? copyArray(value, path, parents, levels - 1) : copyObject(value, path, parents, levels - 1);
  parents.pop();
  return result;
}

function copyArray(value: unknown[], path: string, parents: object[], levels: number): Json {
  if (Object.getPrototypeOf(value) !== Array.prototype) throw new TypeError(`${path}: an array of another kind is not JSON`);
  // all places and `length`; with the walk below that leaves no room for other keys
  if (Reflect.ownKeys(value).length !== value.length + 1) throw new TypeError(`${path}: a sparse or decorated array is not JSON`);
  const result: Json[] = [];
  for (let index = 0; index < value.length; index += 1)
    result.push(copy(plainValue(value, index, path), `${path}[${index}]`, parents, levels));
  return Object.freeze(result);
}

function copyObject(value: object, path: string, parents: object[], levels: number): Json {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError(`${path}: a class instance is not JSON`);
  const result: Record<string, Json> = {};
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === "symbol") throw new TypeError(`${path}: a symbol key is not JSON`);
    const part = copy(plainValue(value, key, path), `${path}.${key}`, parents, levels);
    // a key of this name has to be defined to stay data; for all others that would cost half of the copy
    if (key === "__proto__") Object.defineProperty(result, key, { value: part, enumerable: true });
    else result[key] = part;
  }
  return Object.freeze(result);
}

/** A member without running any code of its owner. */
function plainValue(owner: object, key: string | number, path: string): unknown {
  const property = Object.getOwnPropertyDescriptor(owner, key);
  if (!property) throw new TypeError(`${path}: a sparse or decorated array is not JSON`);
  if (!property.enumerable || !("value" in property)) throw new TypeError(`${path}.${key}: an accessor or hidden property is not JSON`);
  return property.value;
}
