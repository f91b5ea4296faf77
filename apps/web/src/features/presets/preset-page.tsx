"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { PresetActions } from "./preset-actions.tsx";
import { PresetEditor } from "./preset-editor.tsx";
import { PresetMarks } from "./preset-marks.tsx";

/** One preset: what it is, its text, what it would mount, its history. */
export function PresetPage({ org, slug }: { org: string; slug: string }): ReactNode {
  const trpc = useTRPC();
  const { data: preset, error, refetch } = useQuery(trpc.preset.get.queryOptions({ org, slug }));
  return (
    <Page
      wide
      above={
        <Link
          href={`/${org}/admin/presets`}
          className="mb-2 inline-flex items-center gap-1 text-soft text-tool hover:text-ink hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" /> {t.back}
        </Link>
      }
      title={preset?.name ?? slug}
      lead={preset?.description}
      action={preset && <PresetActions org={org} preset={preset} />}
    >
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !preset ? (
        <SkeletonRows rows={5} />
      ) : (
        <>
          <div className="-mt-3 mb-5 flex flex-wrap items-center gap-2">
            <code className="font-mono text-soft text-tool">{preset.slug}</code>
            <PresetMarks preset={preset} />
          </div>
          <PresetEditor key={preset.id} org={org} preset={preset} />
        </>
      )}
    </Page>
  );
}
