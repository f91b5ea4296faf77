import { stringify } from "yaml";
import type { ComposedRow, Composition } from "../composition.ts";
import { canonicalJson, sameJson } from "../json.ts";
import type { Row } from "../rows/row.ts";
import { redact } from "./redact.ts";

export type RowDiff =
  | { kind: "added" | "removed"; id: string; row: Row; by: string }
  | { kind: "changed"; id: string; field: string; from: unknown; to: unknown; by: string };

/** What `b` has that `a` has not, row by row and field by field; rows inside groups under their own ids (D-6). */
export function diffCompositions(a: Composition, b: Composition): RowDiff[] {
  const before = flatten(a.rows);
  const after = flatten(b.rows);
  const removed = [...before.values()].flatMap((one): RowDiff[] =>
    after.has(one.row.id) ? [] : [{ kind: "removed", id: one.row.id, row: one.row, by: one.origin }],
  );
  const rest = [...after.values()].flatMap((one): RowDiff[] => {
    const old = before.get(one.row.id);
    return old ? changed(old, one) : [{ kind: "added", id: one.row.id, row: one.row, by: one.origin }];
  });
  return redact([...removed, ...rest]);
}

/** One line a difference: `+`, `-` or `~`, and the layer that made it. */
export function diffText(diffs: readonly RowDiff[]): string {
  const lines = diffs.map((diff) => {
    if (diff.kind !== "changed") {
      const sign = diff.kind === "added" ? "+" : "-";
      return stringify([diff.row], { lineWidth: 0 }).trimEnd().replace(/^/gm, `${sign} `).concat(`  # ${diff.by}`);
    }
    return `~ ${diff.id}.${diff.field}: ${show(diff.from)} → ${show(diff.to)}  # ${diff.by}`;
  });
  return lines.length > 0 ? `${lines.join("\n")}\n` : "";
}

function changed(old: ComposedRow, now: ComposedRow): RowDiff[] {
  const fields = [...new Set([...Object.keys(old.row), ...Object.keys(now.row)])] as (keyof Row)[];
  return fields.flatMap((field): RowDiff[] => {
    const ofGroup = field === "config" && old.children && now.children;
    if (ofGroup || sameJson(old.row[field], now.row[field])) return [];
    return [{ kind: "changed", id: now.row.id, field, from: old.row[field], to: now.row[field], by: now.fields[field] ?? now.origin }];
  });
}

function flatten(rows: readonly ComposedRow[], into: Map<string, ComposedRow> = new Map()): Map<string, ComposedRow> {
  for (const one of rows) {
    into.set(one.row.id, one);
    flatten(one.children ?? [], into);
  }
  return into;
}

const show = (value: unknown): string => (value === undefined ? "(not set)" : canonicalJson(value));
