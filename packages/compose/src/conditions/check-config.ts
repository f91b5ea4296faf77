import { type Issue, indexPath, keyPath } from "../input/issue.ts";
import { conditionOperators } from "../input/operators.ts";
import { isObject, own } from "../json.ts";
import { checkCondition, checkValueOperand } from "./check-condition.ts";
import type { DeclaredFacts } from "./facts.ts";

/** What is wrong with the operators inside a row's `config`: their place, their form, the facts they name (9.3). */
export function checkConfig(value: unknown, path: string, declared: DeclaredFacts = {}): Issue[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => checkConfig(item, indexPath(path, index), declared));
  if (!isObject(value)) return [];
  if (Object.hasOwn(value, "$literal")) return exactly(value, ["$literal"], path);
  if (Object.hasOwn(value, "$fact")) return checkValueOperand(value, path, declared).issues;
  if (Object.hasOwn(value, "$secret")) return checkSecret(value, path);
  if (Object.hasOwn(value, "$if")) {
    const branches = ["then", "else"].flatMap((name) => checkConfig(own(value, name), keyPath(path, name), declared));
    return [
      ...exactly(value, ["$if", "then", "else"], path),
      ...checkCondition(own(value, "$if"), keyPath(path, "$if"), declared),
      ...branches,
    ];
  }
  return Object.entries(value).flatMap(([key, member]) => {
    const misplaced = conditionOperators.some((name) => name === key);
    if (!misplaced) return checkConfig(member, keyPath(path, key), declared);
    const message = 'A condition alone is no value. Write {"$if": condition, "then": …, "else": …}.';
    return [{ code: "EXPR_FORBIDDEN" as const, path: keyPath(path, key), message }];
  });
}

function checkSecret(value: Record<string, unknown>, path: string): Issue[] {
  const name = own(value, "$secret");
  if (typeof name === "string" && /^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return exactly(value, ["$secret"], path);
  return [{ code: "EXPR_FORBIDDEN", path, message: "$secret takes the name of a stored secret: small letters, digits and dashes." }];
}

function exactly(value: object, wanted: readonly string[], path: string): Issue[] {
  const keys = Object.keys(value);
  if (keys.length === wanted.length && wanted.every((key) => keys.includes(key))) return [];
  return [
    {
      code: "EXPR_FORBIDDEN",
      path,
      message: `This operator takes exactly the keys ${wanted.join(", ")}. Add what is missing, remove the rest.`,
    },
  ];
}
