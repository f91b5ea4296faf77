"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FolderGit2, Plus } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { homeTexts } from "../../strings/en/home.ts";
import { workspaceTexts } from "../../strings/en/workspaces.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { sessionsText, sourceText } from "./source-text.ts";
import { StatePill } from "./state-pill.tsx";

const CreateWorkspaceDialog = lazy(() => import("./create-dialog.tsx"));

const t = workspaceTexts;
/** While an import runs, its state is asked for so often. */
const importPollMs = 2_000;

/** All workspaces of the organisation. */
export function WorkspaceList({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [isCreating, setCreating] = useState(false);
  const list = useInfiniteQuery({
    queryKey: [...trpc.workspace.list.queryKey({ org }), "pages"],
    queryFn: ({ pageParam, signal }) => client.workspace.list.query({ org, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.some(isImporting) ? importPollMs : false),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" /> {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} action={items.length > 0 && create}>
      {list.isPending ? (
        <SkeletonRows rows={3} className="h-16" />
      ) : list.error ? (
        <ProblemState error={list.error} onRetry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        <EmptyState icon={FolderGit2} title={t.empty} text={t.emptyText}>
          {create}
        </EmptyState>
      ) : (
        <ul className="divide-y overflow-hidden rounded-box border bg-card">
          {items.map((item) => (
            <li key={item.id}>
              <Link
                href={`/${org}/w/${item.id}`}
                className="flex flex-col gap-0.5 px-4 py-3 hover:bg-hover focus-visible:outline-offset-[-2px]"
              >
                <span className="flex items-center gap-3">
                  <span className="min-w-0 truncate font-medium">{item.name}</span>
                  {item.state !== "ready" && <StatePill state={item.state} />}
                  <span className="ml-auto shrink-0 text-soft text-xs">
                    <Time at={item.createdAt} />
                  </span>
                </span>
                <span className="truncate text-soft text-tool">
                  {sessionsText(item.sessionCount)} · {sourceText(item)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button className="mt-4" onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage}>
          {homeTexts.more}
        </Button>
      )}
      <Suspense>{isCreating && <CreateWorkspaceDialog org={org} onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  );
}

const isImporting = (page: { items: { state: string }[] }): boolean => page.items.some((item) => item.state === "importing");
