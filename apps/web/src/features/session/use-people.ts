"use client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useTRPC } from "../../trpc/client.ts";
import type { SessionState } from "./model/state.ts";

/** Names by user id: those of authors from the log, those of people who answered from the server. */
export function usePeople(org: string, sessionId: string, { people, answered }: SessionState): SessionState["people"] {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const isUnknown = answered?.by != null && !people[answered.by];
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody else has answered
  useEffect(() => {
    if (isUnknown) void cache.invalidateQueries({ queryKey: trpc.prompt.deciders.queryKey({ org, sessionId }) });
  }, [cache, trpc, org, sessionId, isUnknown, answered?.id]);
  const options = { enabled: answered !== null, placeholderData: keepPreviousData, staleTime: 60_000 };
  const { data } = useQuery(trpc.prompt.deciders.queryOptions({ org, sessionId }, options));
  return useMemo(() => (data ? { ...Object.fromEntries(data.map(({ id, name }) => [id, name])), ...people } : people), [data, people]);
}
