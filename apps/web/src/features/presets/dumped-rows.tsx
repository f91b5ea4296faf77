"use client";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { DumpedRow } from "../../trpc/outputs.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const tones: Record<NonNullable<DumpedRow["outcome"]>["state"], Tone> = { mounts: "good", disabled: "plain", planned: "warn" };

/** Rows with what becomes of each, groups nested, and the values that the platform's limits changed. */
export function DumpedRows({ rows }: { rows: readonly DumpedRow[] }): ReactNode {
  return (
    <ul className="divide-y overflow-hidden rounded-box border bg-card">
      {rows.map(({ row, outcome, clamps, children }) => (
        <li key={row.id} className="px-4 py-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className={cx("break-all font-mono text-tool", outcome?.state === "disabled" && "text-soft")}>{row.id}</span>
            {row.name !== row.id && <span className="break-all text-soft text-xs">{row.name}</span>}
            {outcome && (
              <span className="ml-auto">
                <Badge tone={tones[outcome.state]}>{t.outcomes[outcome.state]}</Badge>
              </span>
            )}
          </div>
          {outcome?.state === "planned" && <p className="text-soft text-xs">{t.outcomeHints.planned}</p>}
          {clamps?.map(({ field, from, to }) => (
            <p key={field} className="text-warn text-xs">
              {fill(t.check.clamped, { path: field, from: String(from), to: String(to) })}
            </p>
          ))}
          {children && children.length > 0 && (
            <div className="mt-2 mb-1">
              <DumpedRows rows={children} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
