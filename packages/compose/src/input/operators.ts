/** Operators of a condition: the value decides between true and false (9.3). */
export const conditionOperators = ["$all", "$any", "$not", "$eq", "$ne", "$in", "$lt", "$lte", "$gt", "$gte"] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** Operators that stand for a value inside `config`. */
export const valueOperators = ["$fact", "$if", "$secret", "$literal"] as const;

export const operators: ReadonlySet<string> = new Set([...conditionOperators, ...valueOperators]);
