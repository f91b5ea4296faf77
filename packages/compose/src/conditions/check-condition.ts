import { type Issue, indexPath, keyPath } from "../input/issue.ts";
import { type ConditionOperator, conditionOperators } from "../input/operators.ts";
import { isObject, isScalar, own } from "../json.ts";
import { type DeclaredFacts, type FactType, factNames, factType } from "./facts.ts";

/** What is wrong with a condition, said when it is saved: its shape, unknown facts, values of different types (E-6). */
export function checkCondition(value: unknown, path: string, declared: DeclaredFacts = {}): Issue[] {
  if (typeof value === "boolean") return [];
  const keys = isObject(value) ? Object.keys(value) : [];
  const [operator] = keys;
  if (keys.length !== 1 || !isConditionOperator(operator)) {
    return [
      {
        code: "EXPR_FORBIDDEN",
        path,
        message: `A condition is true, false or a map with exactly one of ${conditionOperators.join(", ")}.`,
      },
    ];
  }
  return checks[operator](own(value, operator), keyPath(path, operator), declared);
}

/** What is wrong with a value; `type` is its type as far as it is known before the facts are. */
export function checkValueOperand(value: unknown, path: string, declared: DeclaredFacts): { issues: Issue[]; type: FactType | null } {
  if (isScalar(value)) return { issues: [], type: value === null ? null : (typeof value as FactType) };
  const name = own(value, "$fact");
  const extra = isObject(value) ? Object.keys(value).find((key) => key !== "$fact" && key !== "default") : undefined;
  if (typeof name !== "string" || extra !== undefined) {
    const message = 'A value here is a text, number, true, false, null or {"$fact": "name", "default": scalar}.';
    return { issues: [{ code: "EXPR_FORBIDDEN", path, message }], type: null };
  }
  const type = factType(name, declared);
  if (!type) {
    const message = `There is no fact of this name. Known are ${factNames(declared).join(", ")}.`;
    return { issues: [{ code: "FACT_UNKNOWN", path: keyPath(path, "$fact"), message }], type: null };
  }
  const given = own(value, "default");
  if (given === undefined || given === null || typeof given === type) return { issues: [], type };
  return { issues: [mismatch(keyPath(path, "default"), `The fact is a ${type}, its default is not.`)], type };
}

type Check = (operand: unknown, path: string, declared: DeclaredFacts) => Issue[];

const isConditionOperator = (name: string | undefined): name is ConditionOperator => conditionOperators.some((known) => known === name);
const mismatch = (path: string, what: string): Issue => ({ code: "EXPR_FORBIDDEN", path, message: `${what} Give both the same type.` });

const listOfConditions: Check = (operand, path, declared) => {
  if (!Array.isArray(operand))
    return [{ code: "EXPR_FORBIDDEN", path, message: "This operator takes a list of conditions. Put them in [ ]." }];
  return operand.flatMap((item, index) => checkCondition(item, indexPath(path, index), declared));
};

const pair =
  (numbers: boolean): Check =>
  (operand, path, declared) => {
    if (!Array.isArray(operand) || operand.length !== 2) {
      return [{ code: "EXPR_FORBIDDEN", path, message: "This operator takes a list of two values. Write [first, second]." }];
    }
    const sides = operand.map((side, index) => checkValueOperand(side, indexPath(path, index), declared));
    const issues = sides.flatMap((side) => side.issues);
    if (issues.length > 0) return issues;
    const [a, b] = sides.map(({ type }) => type);
    if (numbers)
      return sides.flatMap((side, index) => (side.type === "number" ? [] : [mismatch(indexPath(path, index), "This is not a number.")]));
    return a && b && a !== b ? [mismatch(path, `A ${a} never equals a ${b}.`)] : [];
  };

const membership: Check = (operand, path, declared) => {
  const list: unknown = Array.isArray(operand) ? operand[1] : undefined;
  if (!Array.isArray(operand) || operand.length !== 2 || !Array.isArray(list)) {
    return [{ code: "EXPR_FORBIDDEN", path, message: "$in takes a value and a list of values. Write [value, [first, second]]." }];
  }
  const wanted = checkValueOperand(operand[0], indexPath(path, 0), declared);
  const at = indexPath(path, 1);
  const found = list.flatMap((item, index) => {
    const { issues, type } = checkValueOperand(item, indexPath(at, index), declared);
    if (issues.length > 0) return issues;
    return type && wanted.type && type !== wanted.type ? [mismatch(indexPath(at, index), `A ${wanted.type} never equals a ${type}.`)] : [];
  });
  return [...wanted.issues, ...found];
};

const checks: { [O in ConditionOperator]: Check } = {
  $all: listOfConditions,
  $any: listOfConditions,
  $not: checkCondition,
  $eq: pair(false),
  $ne: pair(false),
  $in: membership,
  $lt: pair(true),
  $lte: pair(true),
  $gt: pair(true),
  $gte: pair(true),
};
