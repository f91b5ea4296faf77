"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { DiffView } from "../session/cards/diff-view.tsx";
import { RowDiffs } from "../yaml/row-diffs.tsx";

type Props = { org: string; slug: string; from: number; to: number };

/** What one revision of a preset has that another has not. */
export function PresetComparison({ org, slug, from, to }: Props): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().preset.diff.queryOptions({ org, slug, from, to }));
  if (error) return <ProblemState error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={2} />;
  const isShown = data.rows.length > 0 || data.display.length === 0;
  return (
    <div className="flex flex-col gap-3">
      {data.display.map((change) => (
        <DiffView
          key={change.field}
          diff={{ path: t.history.display[change.field], oldText: String(change.from), newText: String(change.to) }}
        />
      ))}
      {isShown && <RowDiffs diffs={data.rows} />}
    </div>
  );
}
