import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import { presentCall, presentResult } from "@gantry/tools/present";
import { genericCall, genericResult } from "./generic-card.ts";
import type { ToolRow } from "./rows.ts";

const calls = new WeakMap<ToolRow, CallCard>();

/** What a call looks like. Pure and kept per row object; a call that no presenter knows gets a generic card. */
export function callCardOf(row: ToolRow): CallCard {
  const known = calls.get(row) ?? presentCall(row.name, row.arguments) ?? genericCall(row.name, row.arguments);
  calls.set(row, known);
  return known;
}

const results = new WeakMap<ToolRow, ResultCard>();

/** What the result of a call looks like, or null while there is none. */
export function resultCardOf(row: ToolRow): ResultCard | null {
  if (!row.result) return null;
  const { text, meta, isError } = row.result;
  const known = results.get(row) ?? presentResult(row.name, row.arguments, text, meta, isError) ?? genericResult(row.result);
  results.set(row, known);
  return known;
}

/** How a command ended that ran and did not succeed; null for every other call. Cheap: it is asked of each row in view. */
export function badEndOf({ state, result }: ToolRow): { readonly signal: string } | { readonly exitCode: number } | null {
  const meta = result?.meta;
  if (state !== "done" || typeof meta !== "object" || meta === null) return null;
  const { exitCode, signal } = meta as { readonly exitCode?: Json; readonly signal?: Json };
  if (typeof signal === "string") return { signal };
  return typeof exitCode === "number" && exitCode !== 0 ? { exitCode } : null;
}

/** Files that a call changed: the targets of a successful diff. */
export function filesOfTool(row: ToolRow): string[] {
  if (row.state !== "done") return [];
  const card = callCardOf(row);
  return card.card === "diff" ? card.diffs.map((diff) => diff.path) : [];
}
