"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSearchParam } from "../../lib/use-search-param.ts";
import { presets as t } from "../../strings/en/presets.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { PresetDetail } from "../../trpc/outputs.ts";
import { EmptyState } from "../../ui/states.tsx";
import { Compare } from "../yaml/compare.tsx";
import { NewerRevisions } from "../yaml/newer-revisions.tsx";
import { PresetComparison } from "./preset-comparison.tsx";
import { RevisionItem } from "./revision-item.tsx";
import { ShownRevision } from "./shown-revision.tsx";

const RollBackDialog = lazy(() => import("../yaml/roll-back-dialog.tsx"));
const h = t.history;

/** Every revision with author, reason and who is still on it; any two compared; one of them put in force again. */
export default function Revisions({ org, preset }: { org: string; preset: PresetDetail }): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [shown, show] = useSearchParam("revision");
  const [target, setTarget] = useState<{ revision: number; seen: number | null } | null>(null);
  const { slug, revision: current, revisions } = preset;
  const rollBack = useMutation(
    trpc.preset.rollBack.mutationOptions({
      onSuccess: () => setTarget(null),
      onSettled: () => cache.invalidateQueries({ queryKey: trpc.preset.pathKey() }),
    }),
  );
  const close = () => {
    setTarget(null);
    rollBack.reset();
  };
  if (revisions.length === 0) return <EmptyState icon={History} title={h.empty} text={h.emptyText} />;
  const opened = revisions.find(({ revision }) => String(revision) === shown);
  if (opened) return <ShownRevision org={org} slug={slug} revision={opened.revision} onClose={() => show(null)} />;
  const numbers = revisions.map(({ revision }) => revision);
  return (
    <div className="flex flex-col gap-8">
      <ol className="divide-y overflow-hidden rounded-box border bg-card" aria-label={t.views.revisions}>
        {revisions.map((one) => (
          <RevisionItem
            key={one.revision}
            org={org}
            slug={slug}
            entry={one}
            isCurrent={one.revision === current}
            canRollBack={!preset.isPlatform}
            isPlatform={preset.isPlatform}
            onShow={() => show(String(one.revision))}
            onRollBack={() => setTarget({ revision: one.revision, seen: current })}
          />
        ))}
      </ol>
      {numbers.length > 1 && (
        <Compare revisions={numbers}>{(from, to) => <PresetComparison org={org} slug={slug} from={from} to={to} />}</Compare>
      )}
      <Suspense>
        {target !== null && (
          <RollBackDialog
            revision={target.revision}
            change={rollBack}
            newer={<NewerRevisions revisions={revisions} seen={target.seen} current={current} />}
            onConfirm={(reason) => rollBack.mutate({ org, slug, revision: target.revision, expectedRevision: current, ...reason })}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  );
}
