"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { YamlEditor } from "../yaml/lazy-editor.tsx";

type Props = { org: string; slug: string; revision: number; onClose: () => void };
const noIssues: readonly never[] = [];
const ignore = (): void => {};

/** The text of one revision, read-only. */
export function ShownRevision({ org, slug, revision, onClose }: Props): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().preset.revision.queryOptions({ org, slug, revision }));
  const title = fill(t.history.shown, { n: revision });
  return (
    <section aria-labelledby="shown-revision">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="shown-revision" className="font-medium text-base">
          {title}
        </h2>
        <Button size="small" onClick={onClose}>
          {t.history.close}
        </Button>
      </div>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={4} />
      ) : (
        <>
          <p className="mb-3 text-soft text-tool">
            {data.name}
            {data.description && ` · ${data.description}`}
          </p>
          <YamlEditor value={data.source} label={title} readOnly issues={noIssues} hints={undefined} onChange={ignore} />
        </>
      )}
    </section>
  );
}
