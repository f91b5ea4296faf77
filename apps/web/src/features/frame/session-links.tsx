"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { relativeTime } from "../../lib/format.ts";
import { navTexts } from "../../strings/en/nav.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { useTRPC } from "../../trpc/client.ts";
import { SkeletonRows } from "../../ui/states.tsx";
import { useTick } from "../../ui/time.tsx";
import { groupSessions } from "./group-sessions.ts";
import { SessionMark } from "./session-mark.tsx";
import { SessionName } from "./session-name.tsx";
import { joinSessions, useLiveSessions } from "./use-live-sessions.ts";

/** Status of other people's sessions is at most so old. */
const refetchMs = 4_000;

/** The organisation's sessions by who waits for whom; kept current while the page is open. */
export function SessionLinks({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const path = usePathname();
  const now = useTick(30_000);
  const { data, isPending } = useQuery(trpc.session.list.queryOptions({ org }, { refetchInterval: refetchMs }));
  const live = useLiveSessions(org, refetchMs);
  if (isPending) return <SkeletonRows rows={5} className="mx-2 h-6" />;
  const groups = groupSessions(joinSessions(live, data?.items ?? []), now);
  if (groups.length === 0) return <p className="px-2 py-1 text-soft text-tool">{navTexts.noSessions}</p>;
  return (
    <>
      {groups.map(({ group, sessions }) => (
        <section key={group} aria-labelledby={`group-${group}`} className="mb-3">
          <h2 id={`group-${group}`} className="px-2 pb-1 font-medium text-soft text-xs">
            {navTexts.groups[group]} <span className="tabular font-normal">{sessions.length}</span>
          </h2>
          <ul>
            {sessions.map((session) => {
              const href = `/${org}/s/${session.id}`;
              return (
                <li key={session.id}>
                  <Link
                    href={href}
                    prefetch={false}
                    aria-current={path === href ? "page" : undefined}
                    title={`${session.title ?? sessionTexts.untitled} · ${session.workspaceName}`}
                    className={cx(
                      "flex items-center gap-2 rounded-md px-2 py-1 text-tool hover:bg-hover",
                      path === href && "bg-hover font-medium",
                    )}
                  >
                    <SessionMark group={group} status={session.status} className="size-3.5" />
                    <SessionName session={session} />
                    <span className="tabular shrink-0 text-soft text-xs" suppressHydrationWarning>
                      {shortAge(session.lastActivityAt, now)}
                    </span>
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {data?.nextCursor && (
        <Link href={`/${org}#sessions`} className="mb-3 block rounded-md px-2 py-1 text-soft text-tool hover:bg-hover hover:text-ink">
          {navTexts.allSessions}
        </Link>
      )}
    </>
  );
}

const shortAge = (at: Date, now: number): string =>
  relativeTime(at, now).replace("just now", "now").replace(" ago", "").replace(" min", "m").replace(" h", "h").replace(" d", "d");
