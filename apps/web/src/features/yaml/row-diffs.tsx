"use client";
import type { ReactNode } from "react";
import { stringify } from "yaml";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { RowDiff } from "../../trpc/outputs.ts";
import { Badge } from "../../ui/badge.tsx";
import { DiffView } from "../session/cards/diff-view.tsx";

const t = presets.diff;
const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : stringify(value, { lineWidth: 0 }).trimEnd();

/** Differences of two lists of rows, row by row and field by field. `showLayers`: say which layer made each. */
export function RowDiffs({ diffs, showLayers = false }: { diffs: readonly RowDiff[]; showLayers?: boolean }): ReactNode {
  if (diffs.length === 0) return <p className="text-soft text-sm">{t.none}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {diffs.map((diff) => (
        <li key={`${diff.kind}:${diff.id}:${diff.kind === "changed" ? diff.field : ""}`} className="min-w-0">
          {diff.kind === "changed" ? (
            <FieldChanges diff={diff} />
          ) : (
            <div className="flex flex-wrap items-center gap-2 rounded-box border bg-card px-3 py-2 text-sm">
              <Badge tone={diff.kind === "added" ? "good" : "bad"}>{t[diff.kind]}</Badge>
              <code className="break-all font-mono text-tool">{diff.id}</code>
              {diff.row.name !== diff.id && <span className="break-all text-soft text-tool">{diff.row.name}</span>}
            </div>
          )}
          {showLayers && <p className="mt-1 text-soft text-xs">{fill(t.by, { layer: diff.by })}</p>}
        </li>
      ))}
    </ul>
  );
}

/** A configuration is compared field by field, so that a changed text shows its lines. */
function FieldChanges({ diff }: { diff: Extract<RowDiff, { kind: "changed" }> }): ReactNode {
  const parts = isRecord(diff.from) && isRecord(diff.to) ? changedKeys(diff.from, diff.to) : null;
  const change = (path: string, from: unknown, to: unknown) => (
    <DiffView key={path} diff={{ path, oldText: textOf(from), newText: textOf(to) }} wraps />
  );
  const path = `${diff.id}.${diff.field}`;
  if (!parts) return change(path, diff.from, diff.to);
  return <div className="flex flex-col gap-2">{parts.map(({ key, from, to }) => change(`${path}.${key}`, from, to))}</div>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function changedKeys(from: Record<string, unknown>, to: Record<string, unknown>) {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((key) => ({ key, from: from[key], to: to[key] }))
    .filter((one) => JSON.stringify(one.from) !== JSON.stringify(one.to));
}
