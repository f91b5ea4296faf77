"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

const h = t.history;

/** The sessions that run on one revision, page by page. */
export function RevisionSessions({ org, slug, revision }: { org: string; slug: string; revision: number }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = { org, slug, revision };
  const list = useInfiniteQuery({
    queryKey: [...trpc.preset.sessions.queryKey(input), "pages"],
    queryFn: ({ pageParam, signal }) => client.preset.sessions.query({ ...input, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });
  if (list.isPending) return <SkeletonRows rows={2} className="mt-2 h-8" />;
  if (list.error) return <ProblemState error={list.error} onRetry={() => void list.refetch()} />;
  const sessions = list.data.pages.flatMap((page) => page.items);
  return (
    <div className="mt-3 border-t pt-2">
      <h3 className="mb-1 font-medium text-soft text-tool">{fill(h.sessionsOn, { n: revision })}</h3>
      {sessions.length === 0 && <p className="text-soft text-tool">{h.noSessions}</p>}
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <Link
              href={`/${org}/s/${session.id}`}
              prefetch={false}
              className="-mx-2 flex items-baseline gap-3 rounded-md px-2 py-1.5 text-tool hover:bg-hover max-sm:min-h-11"
            >
              <span className="min-w-0 flex-1 truncate">{session.title ?? sessionTexts.untitled}</span>
              <span className="shrink-0 text-soft text-xs">
                <Time at={session.lastActivityAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="small" className="mt-1" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {h.more}
        </Button>
      )}
    </div>
  );
}
