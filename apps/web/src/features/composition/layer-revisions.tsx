"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { fill } from "../../strings/en.ts";
import { admin } from "../../strings/en-admin.ts";
import { presets } from "../../strings/en-presets.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Compare } from "../yaml/compare.tsx";
import { RowDiffs } from "../yaml/row-diffs.tsx";
import { profile } from "./profile.ts";

const RollBackDialog = lazy(() => import("../yaml/roll-back-dialog.tsx"));
const t = admin.composition;
const h = presets.history;

/** Every revision of the organisation's layer; any two compared; one of them put in force again. */
export default function LayerRevisions({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [target, setTarget] = useState<number | null>(null);
  const { data, error, refetch } = useQuery(trpc.composition.layer.queryOptions({ org, profile }));
  const rollBack = useMutation(
    trpc.composition.rollBack.mutationOptions({
      onSuccess: async () => {
        setTarget(null);
        await Promise.all([trpc.composition, trpc.plugin].map((area) => cache.invalidateQueries({ queryKey: area.pathKey() })));
      },
    }),
  );
  if (error) return <ProblemState error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} />;
  if (data.revisions.length === 0) return <EmptyState icon={History} title={t.noRevisions} text={t.noRevisionsText} />;
  const numbers = data.revisions.map(({ revision }) => revision);
  return (
    <div className="flex flex-col gap-8">
      <ol className="divide-y overflow-hidden rounded-box border bg-card" aria-label={t.views.revisions}>
        {data.revisions.map(({ revision, reason, authorName, createdAt }) => (
          <li key={revision} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-60">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <span className="tabular">{fill(t.revision, { n: revision })}</span>
                {revision === data.revision && <Badge tone="good">{h.current}</Badge>}
              </p>
              {reason && <p className="mt-0.5 break-words">{reason}</p>}
              <p className="text-soft text-tool">
                {authorName ?? presets.someone}, <Time at={createdAt} />
              </p>
            </div>
            {revision !== data.revision && (
              <Button size="small" aria-label={fill(h.rollBack, { n: revision })} onClick={() => setTarget(revision)}>
                {h.rollBackAction}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {numbers.length > 1 && <Compare revisions={numbers}>{(from, to) => <Difference org={org} from={from} to={to} />}</Compare>}
      <Suspense>
        {target !== null && (
          <RollBackDialog
            revision={target}
            change={rollBack}
            onConfirm={() => rollBack.mutate({ org, profile, revision: target, expectedRevision: data.revision })}
            onClose={() => setTarget(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

function Difference({ org, from, to }: { org: string; from: number; to: number }): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().composition.diff.queryOptions({ org, profile, from, to }));
  if (error) return <ProblemState error={error} onRetry={() => void refetch()} />;
  return data ? <RowDiffs diffs={data} showLayers /> : <SkeletonRows rows={2} />;
}
