"use client";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { Outputs, PresetDetail } from "../../trpc/outputs.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { RowDiffs } from "../yaml/row-diffs.tsx";
import { DumpedRows } from "./dumped-rows.tsx";

type Check = { data: Outputs["preset"]["check"] | undefined; error: unknown; isCurrent: boolean };

/** What would mount if the text were saved, and how that differs from what is in force. Nothing is started. */
export default function DryRun({ preset, check }: { preset: PresetDetail; check: Check }): ReactNode {
  const { data, error, isCurrent } = check;
  if (error) return <ProblemState error={error} />;
  if (!data) return <SkeletonRows rows={4} />;
  const { revision } = preset;
  return (
    <div className="flex flex-col gap-8">
      <p role="status" className="flex items-center gap-2 text-soft text-sm">
        {!isCurrent ? (
          t.check.waiting
        ) : data.problems.length === 0 ? (
          <>
            <CircleCheck aria-hidden className="size-4 text-good" /> {t.noProblems}. {t.check.lead}
          </>
        ) : (
          t.check.lead
        )}
      </p>
      <section aria-labelledby="dry-changes">
        <h2 id="dry-changes" className="mb-3 font-medium text-base">
          {revision === null ? t.check.all : fill(data.diff.length > 0 ? t.check.changes : t.check.changesNone, { n: revision })}
        </h2>
        {data.diff.length > 0 && <RowDiffs diffs={data.diff} />}
      </section>
      {data.rows.length > 0 && (
        <section aria-labelledby="dry-rows">
          <h2 id="dry-rows" className="mb-3 font-medium text-base">
            {t.check.rows}
          </h2>
          <DumpedRows rows={data.rows} />
        </section>
      )}
    </div>
  );
}
