import { type ConditionOperator, conditionOperators } from "../input/operators.ts";
import { isObject, own, type Scalar } from "../json.ts";
import type { Facts } from "./facts.ts";
import type { Condition } from "./vocabulary.ts";

/** The truth of a condition. Pure, total and linear (E-8): an absent fact counts as null, and what the checker refuses has some answer too. */
export function evaluate(condition: Condition, facts: Facts): boolean {
  if (!isObject(condition)) return condition === true;
  const operator = conditionOperators.find((name) => Object.hasOwn(condition, name));
  return operator ? rules[operator](own(condition, operator), facts) : false;
}

/** The scalar that a value stands for. */
export function readValue(value: unknown, facts: Facts): Scalar {
  if (!isObject(value)) return Array.isArray(value) || value === undefined ? null : (value as Scalar);
  const fact = own(facts, String(own(value, "$fact")));
  return ((fact === undefined ? own(value, "default") : fact) ?? null) as Scalar;
}

type Rule = (operand: unknown, facts: Facts) => boolean;

const items = (operand: unknown): readonly unknown[] => (Array.isArray(operand) ? operand : []);
const values = (operand: unknown, facts: Facts): Scalar[] => [0, 1].map((index) => readValue(items(operand)[index], facts));

const compare =
  (holds: (a: number, b: number) => boolean): Rule =>
  (operand, facts) => {
    const [a, b] = values(operand, facts);
    return typeof a === "number" && typeof b === "number" && holds(a, b);
  };

const equal: Rule = (operand, facts) => {
  const [a, b] = values(operand, facts);
  return a === b;
};

const rules: { [O in ConditionOperator]: Rule } = {
  $all: (operand, facts) => items(operand).every((item) => evaluate(item as Condition, facts)),
  $any: (operand, facts) => items(operand).some((item) => evaluate(item as Condition, facts)),
  $not: (operand, facts) => !evaluate(operand as Condition, facts),
  $eq: equal,
  $ne: (operand, facts) => !equal(operand, facts),
  $in: (operand, facts) => {
    const wanted = readValue(items(operand)[0], facts);
    return items(items(operand)[1]).some((item) => readValue(item, facts) === wanted);
  },
  $lt: compare((a, b) => a < b),
  $lte: compare((a, b) => a <= b),
  $gt: compare((a, b) => a > b),
  $gte: compare((a, b) => a >= b),
};
