"use client";
import { useQuery } from "@tanstack/react-query";
import { Copy, Layers, Plus } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { PresetItem } from "../../trpc/outputs.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { PresetMarks } from "./preset-marks.tsx";

const CreateDialog = lazy(() => import("./create-dialog.tsx"));

/** The roster: what new sessions can start from, with what stands in the way of each. */
export function PresetList({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const [copyOf, setCopyOf] = useState<PresetItem | "nothing" | null>(null);
  const roster = useQuery(trpc.preset.list.queryOptions({ org }));
  const presets = roster.data ?? [];
  const create = () => setCopyOf("nothing");
  return (
    <Page title={t.title} lead={t.lead} action={presets.length > 0 && <CreateButton onClick={create} />}>
      {roster.error ? (
        <ProblemState error={roster.error} onRetry={() => void roster.refetch()} />
      ) : roster.isPending ? (
        <SkeletonRows rows={3} className="h-20" />
      ) : (
        <Roster org={org} presets={presets} onCopy={setCopyOf} onCreate={create} />
      )}
      <Suspense>
        {copyOf && (
          <CreateDialog org={org} copyOf={copyOf === "nothing" ? null : copyOf} others={presets} onClose={() => setCopyOf(null)} />
        )}
      </Suspense>
    </Page>
  );
}

const CreateButton = ({ onClick }: { onClick: () => void }): ReactNode => (
  <Button look="primary" onClick={onClick}>
    <Plus aria-hidden className="size-4" /> {t.add}
  </Button>
);

type RosterProps = { org: string; presets: readonly PresetItem[]; onCopy: (preset: PresetItem) => void; onCreate: () => void };

const Roster = ({ org, presets, onCopy, onCreate }: RosterProps): ReactNode =>
  presets.length === 0 ? (
    <EmptyState icon={Layers} title={t.empty} text={t.emptyText}>
      <CreateButton onClick={onCreate} />
    </EmptyState>
  ) : (
    <ul className="divide-y overflow-hidden rounded-box border bg-card">
      {presets.map((preset) => (
        <Item key={preset.id} org={org} preset={preset} onCopy={() => onCopy(preset)} />
      ))}
    </ul>
  );

const Item = ({ org, preset, onCopy }: { org: string; preset: PresetItem; onCopy: () => void }): ReactNode => (
  <li className="flex items-start gap-2 px-4 py-3 hover:bg-hover">
    <div className="min-w-0 flex-1">
      <h2 className="font-medium">
        <Link href={`/${org}/admin/presets/${preset.slug}`} className="hover:underline">
          {preset.name}
        </Link>{" "}
        <code className="font-mono font-normal text-soft text-tool">{preset.slug}</code>
      </h2>
      {preset.description && <p className="mt-0.5 break-words text-soft text-tool">{preset.description}</p>}
      <div className="mt-2">
        <PresetMarks preset={preset} />
      </div>
      {preset.reasons.map((reason) => (
        <p key={reason} className="mt-1.5 break-words text-bad text-tool">
          {reason}
        </p>
      ))}
    </div>
    <Button look="quiet" size="small" aria-label={fill(t.copyOf, { name: preset.name })} onClick={onCopy} className="max-sm:h-11">
      <Copy aria-hidden className="size-4" /> {t.copy}
    </Button>
  </li>
);
