"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";
import type { SessionItem } from "../../trpc/outputs.ts";

/** The sessions that work or wait for a person, however long ago: nobody may miss them because others were active later. */
export function useLiveSessions(org: string, refetchMs: number): readonly SessionItem[] {
  const { data } = useQuery(useTRPC().session.list.queryOptions({ org, isLive: true }, { refetchInterval: refetchMs }));
  return data?.items ?? [];
}

/** Each session once; `first` before the others. */
export function joinSessions(first: readonly SessionItem[], others: readonly SessionItem[]): SessionItem[] {
  const known = new Set(others.map(({ id }) => id));
  return [...first.filter(({ id }) => !known.has(id)), ...others];
}
