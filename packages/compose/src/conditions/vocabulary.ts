import type { Scalar } from "../json.ts";

/** A scalar as it stands, or one the platform knows; `default` is used only when the fact is absent. */
export type Value = Scalar | { readonly $fact: string; readonly default?: Scalar };

/** Data that decides between true and false (9.3): no calls, no loops, no property access. Exactly one operator an object. */
export type Condition =
  | boolean
  | { readonly $all: readonly Condition[] }
  | { readonly $any: readonly Condition[] }
  | { readonly $not: Condition }
  | { readonly $eq: readonly [Value, Value] }
  | { readonly $ne: readonly [Value, Value] }
  | { readonly $in: readonly [Value, readonly Value[]] }
  | { readonly $lt: readonly [Value, Value] }
  | { readonly $lte: readonly [Value, Value] }
  | { readonly $gt: readonly [Value, Value] }
  | { readonly $gte: readonly [Value, Value] };
