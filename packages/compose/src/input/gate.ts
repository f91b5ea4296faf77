import type { Json } from "@gantry/contracts";
import { checkValue } from "./check-value.ts";
import { type Issue, type Locate, nowhere, placed } from "./issue.ts";
import { parseText } from "./parse-text.ts";

export type Gated = { ok: true; value: Json; locate: Locate } | { ok: false; issues: Issue[] };

/** Text of a layer, preset or setting to data, or every reason against it with its line (9.2). Pure; bounded work for any input. */
export function gateText(text: string): Gated {
  const { value, locate, issues } = parseText(text);
  if (issues.length > 0) return { ok: false, issues };
  const found = placed(checkValue(value), locate);
  return found.length > 0 ? { ok: false, issues: found } : { ok: true, value: value as Json, locate };
}

/** The same for data that came parsed: an API call, a JSON column (9.2: before storing, and again before composing). */
export function gateValue(value: unknown): Gated {
  const issues = checkValue(value);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: value as Json, locate: nowhere };
}
