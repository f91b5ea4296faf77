"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { homeTexts } from "../../strings/en/home.ts";
import { navTexts } from "../../strings/en/nav.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import type { SessionItem } from "../../trpc/outputs.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { Time, useTick } from "../../ui/time.tsx";
import { groupSessions, type SessionGroup } from "../frame/group-sessions.ts";
import { SessionMark } from "../frame/session-mark.tsx";
import { SessionName } from "../frame/session-name.tsx";
import { joinSessions, useLiveSessions } from "../frame/use-live-sessions.ts";

type Props = { org: string; workspaceId?: string; empty: { title: string; text: string } };
const refetchMs = 5_000;

/** Sessions in groups by who waits for whom. */
export function SessionTable({ org, workspaceId, empty }: Props): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const now = useTick(30_000);
  const input = { org, ...(workspaceId && { workspaceId }) };
  const list = useInfiniteQuery({
    queryKey: [...trpc.session.list.queryKey(input), "pages"],
    queryFn: ({ pageParam, signal }) => client.session.list.query({ ...input, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: refetchMs,
  });
  const live = useLiveSessions(org, refetchMs);
  if (list.isPending) return <SkeletonRows rows={4} />;
  if (list.error) return <ProblemState error={list.error} onRetry={() => void list.refetch()} />;
  const here = live.filter((session) => !workspaceId || session.workspaceId === workspaceId);
  const sessions = joinSessions(
    here,
    list.data.pages.flatMap((page) => page.items),
  );
  if (sessions.length === 0) return <EmptyState icon={MessagesSquare} title={empty.title} text={empty.text} />;
  return (
    <div className="flex flex-col gap-6">
      {groupSessions(sessions, now).map(({ group, sessions }) => (
        <div key={group}>
          <h3 id={`list-${group}`} className="mb-2 font-medium text-soft text-tool">
            {navTexts.groups[group]} <span className="tabular font-normal">{sessions.length}</span>
          </h3>
          <ul aria-labelledby={`list-${group}`} className="divide-y overflow-hidden rounded-box border bg-card">
            {sessions.map((session) => (
              <Item key={session.id} org={org} session={session} group={group} />
            ))}
          </ul>
        </div>
      ))}
      {list.hasNextPage && (
        <Button className="self-center" onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage}>
          {homeTexts.more}
        </Button>
      )}
    </div>
  );
}

const Item = ({ org, session, group }: { org: string; session: SessionItem; group: SessionGroup }): ReactNode => (
  <li>
    <Link
      href={`/${org}/s/${session.id}`}
      prefetch={false}
      className="flex flex-col gap-0.5 px-4 py-3 hover:bg-hover focus-visible:outline-offset-[-2px]"
    >
      <span className="flex items-center gap-2">
        <SessionMark group={group} status={session.status} className="size-4" />
        <SessionName session={session} className="font-medium" />
        <span className="shrink-0 text-soft text-xs">
          <Time at={session.lastActivityAt} />
        </span>
      </span>
      <span className="truncate text-soft text-tool">
        {session.problem ?? (session.status === "waiting" ? sessionTexts.activity["waiting-person"] : null) ?? (
          <>
            {session.workspaceName} · <code className="font-mono">{session.model}</code>
          </>
        )}
      </span>
    </Link>
  </li>
);
