"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { admin } from "../../strings/en/admin.ts";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Compare } from "../yaml/compare.tsx";
import { NewerRevisions } from "../yaml/newer-revisions.tsx";
import { RowDiffs } from "../yaml/row-diffs.tsx";
import { profile } from "./profile.ts";
import { useRefresh } from "./use-refresh.ts";

const RollBackDialog = lazy(() => import("../yaml/roll-back-dialog.tsx"));
const t = admin.composition;
const h = presets.history;
/** The state without a layer: it is no stored revision, and the way back to it is the same. */
const beginning = { revision: 0, reason: t.beginning, authorName: null, createdAt: null };

/** Every revision of the organisation's layer; any two compared; one of them put in force again. */
export default function LayerRevisions({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [target, setTarget] = useState<{ revision: number; seen: number } | null>(null);
  const { data, error, refetch } = useQuery(trpc.composition.layer.queryOptions({ org, profile }));
  const rollBack = useMutation(
    trpc.composition.rollBack.mutationOptions({
      onSuccess: ({ problems }) => problems.length === 0 && setTarget(null),
      onSettled: refresh,
    }),
  );
  if (error) return <ProblemState error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} />;
  if (data.revisions.length === 0) return <EmptyState icon={History} title={t.noRevisions} text={t.noRevisionsText} />;
  const entries = [...data.revisions, beginning];
  return (
    <div className="flex flex-col gap-8">
      <ol className="divide-y overflow-hidden rounded-box border bg-card" aria-label={t.views.revisions}>
        {entries.map(({ revision, reason, authorName, createdAt }) => (
          <li key={revision} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-60">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <span className="tabular">{fill(t.revision, { n: revision })}</span>
                {revision === data.revision && <Badge tone="good">{h.current}</Badge>}
              </p>
              {reason && <p className="mt-0.5 break-words">{reason}</p>}
              {createdAt && (
                <p className="text-soft text-tool">
                  {authorName ?? presets.someone}, <Time at={createdAt} />
                </p>
              )}
            </div>
            {revision !== data.revision && (
              <Button
                size="small"
                aria-label={fill(h.rollBack, { n: revision })}
                onClick={() => setTarget({ revision, seen: data.revision })}
              >
                {h.rollBackAction}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Compare revisions={entries.map(({ revision }) => revision)}>{(from, to) => <Difference org={org} from={from} to={to} />}</Compare>
      <Suspense>
        {target !== null && (
          <RollBackDialog
            revision={target.revision}
            change={rollBack}
            newer={<NewerRevisions revisions={data.revisions} seen={target.seen} current={data.revision} />}
            onConfirm={(reason) => rollBack.mutate({ org, profile, revision: target.revision, expectedRevision: data.revision, ...reason })}
            onClose={() => {
              setTarget(null);
              rollBack.reset();
            }}
          >
            {rollBack.data && rollBack.data.problems.length > 0 && (
              <ul role="alert" className="mb-3 ml-4 list-disc text-bad text-tool">
                {rollBack.data.problems.map(({ message }) => (
                  <li key={message} className="break-words">
                    {message}
                  </li>
                ))}
              </ul>
            )}
          </RollBackDialog>
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
