import { isObject } from "../json.ts";
import { type Issue, indexPath, keyPath } from "./issue.ts";
import { limits } from "./limits.ts";
import { operators } from "./operators.ts";

/** Keys that name machinery of the language, never data of ours, and the one that the original's loader runs as code (D12). */
const forbiddenKeys = new Set(["__proto__", "prototype", "constructor", "__jsExpr"]);
export const mergeKeyMessage = "A merge key (<<) takes values from elsewhere unseen. Write them out.";
/** More would only repeat the same mistake. */
const maxIssues = 20;

/** The part of the gate that holds for any value, whatever text it came from (E-2 to E-4). Never throws; reads own members only. */
export function checkValue(value: unknown): Issue[] {
  const walk: Walk = { issues: [], nodes: 0, bytes: 0, parents: new Set() };
  try {
    visit(walk, value, "$", 1, false);
  } catch {
    walk.issues = [{ code: "INPUT_TYPE", path: "$", message: "A part of this cannot be read, so it is not JSON. Write it out." }];
  }
  return walk.issues;
}

type Refusal = [Issue["code"], string];
type Walk = { issues: Issue[]; nodes: number; bytes: number; parents: Set<object> };

function visit(walk: Walk, value: unknown, path: string, depth: number, literal: boolean): void {
  walk.nodes += 1;
  if (walk.nodes > limits.maxNodes + 1 || walk.issues.length >= maxIssues) return;
  const refusal = refusalOf(walk, value, depth);
  if (refusal) add(walk, ...refusal, path);
  if (refusal || typeof value !== "object" || value === null) return;
  walk.parents.add(value);
  if (Array.isArray(value)) visitItems(walk, value, path, depth, literal);
  else visitMembers(walk, value as Record<string, unknown>, path, depth, literal);
  walk.parents.delete(value);
}

function refusalOf(walk: Walk, value: unknown, depth: number): Refusal | null {
  const { nodes, parents } = walk;
  if (nodes > limits.maxNodes) {
    return ["INPUT_LIMIT", `There are more than ${limits.maxNodes} values. Split the content over several layers.`];
  }
  if (typeof value === "string") return textRefusal(walk, value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    return ["INPUT_TYPE", "This number is not finite, which JSON cannot hold. Write an ordinary number."];
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return ["INPUT_TYPE", "This number is too large to be kept exactly. Write it as a text, in quotes."];
  }
  if (value === null || typeof value === "number" || typeof value === "boolean") return null;
  if (!isPlain(value)) return ["INPUT_TYPE", "This value is not JSON. Use texts, numbers, true, false, null, lists and maps."];
  if (depth > limits.maxDepth) return ["INPUT_LIMIT", `This is nested deeper than ${limits.maxDepth} levels. Flatten it.`];
  if (parents.has(value)) return ["INPUT_TYPE", "This value contains itself, which JSON cannot hold. Write it out."];
  return null;
}

function visitItems(walk: Walk, list: readonly unknown[], path: string, depth: number, literal: boolean): void {
  // a longer one is refused by the number of its values, before anybody counts its keys
  const isPlainList = list.length > limits.maxNodes || Reflect.ownKeys(list).length === list.length + 1;
  if (!isPlainList) add(walk, "INPUT_TYPE", "This list has gaps or names, which JSON cannot hold. Write out its items.", path);
  for (let index = 0; index < list.length && walk.nodes <= limits.maxNodes; index += 1) {
    const property = Object.getOwnPropertyDescriptor(list, index);
    const at = indexPath(path, index);
    if (property && "value" in property && property.enumerable) visit(walk, property.value, at, depth + 1, literal);
    else add(walk, "INPUT_TYPE", "This item is missing, computed or hidden, which JSON cannot hold. Write its value.", at);
  }
}

function visitMembers(walk: Walk, value: Record<string, unknown>, path: string, depth: number, literal: boolean): void {
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === "symbol") {
      add(walk, "INPUT_TYPE", "A symbol is not a JSON key. Use texts as keys.", path);
      continue;
    }
    const at = keyPath(path, key);
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property || !("value" in property) || !property.enumerable) {
      add(walk, "INPUT_TYPE", "This member is computed or hidden, which JSON cannot hold. Write its value.", at);
      continue;
    }
    const refusal = keyRefusal(walk, key, literal);
    if (refusal) add(walk, ...refusal, at);
    visit(walk, property.value, at, depth + 1, literal || key === "$literal");
  }
}

function keyRefusal(walk: Walk, key: string, literal: boolean): Refusal | null {
  if (key === "__jsExpr") {
    return ["EXPR_FORBIDDEN", "Configuration holds no code. Write a condition with operators such as $eq, or a plain value."];
  }
  if (key === "<<") return ["INPUT_KEY", mergeKeyMessage];
  if (forbiddenKeys.has(key)) return ["INPUT_KEY", `"${key}" is reserved by the language and cannot be a key. Choose another name.`];
  if (!key.startsWith("$") || literal || operators.has(key)) return textRefusal(walk, key);
  const known = [...operators].join(", ");
  return ["EXPR_FORBIDDEN", `This operator does not exist. Known are ${known}; put data whose keys start with $ under $literal.`];
}

function textRefusal(walk: Walk, text: string): Refusal | null {
  if (text.includes("\0")) return ["INPUT_TYPE", "This text holds the character U+0000, which cannot be stored. Take it out."];
  if (!text.isWellFormed())
    return ["INPUT_TYPE", "This text holds half a character (a lone surrogate), which cannot be stored. Take it out."];
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxStringBytes) return ["INPUT_LIMIT", `This text is longer than ${limits.maxStringBytes / 1024} KiB. Shorten it.`];
  walk.bytes += bytes;
  const isFirstBeyond = walk.bytes > limits.maxBytes && walk.bytes - bytes <= limits.maxBytes;
  return isFirstBeyond ? ["INPUT_LIMIT", `All texts together are longer than ${limits.maxBytes / 1024} KiB. Split the content.`] : null;
}

function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return Object.getPrototypeOf(value) === Array.prototype;
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function add(walk: Walk, code: Issue["code"], message: string, path: string): void {
  if (walk.issues.length < maxIssues) walk.issues.push({ code, path, message });
}
