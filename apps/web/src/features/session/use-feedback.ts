"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";

export type RatingValue = "positive" | "negative";

/** What I think of an answer; a change that somebody (I, in another window) made meanwhile is shown and not overwritten (FBK-1). */
export function useFeedback(org: string, sessionId: string, messageId: string) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const list = useQuery(trpc.feedback.list.queryOptions({ org, sessionId }, { staleTime: 60_000 }));
  const mine = list.data?.find((one) => one.messageId === messageId) ?? null;
  const refresh = () => cache.invalidateQueries({ queryKey: trpc.feedback.list.queryKey({ org, sessionId }) });
  const put = useMutation(trpc.feedback.put.mutationOptions({ onSettled: refresh }));
  const remove = useMutation(trpc.feedback.delete.mutationOptions({ onSettled: refresh }));
  const place = { org, sessionId, messageId, ifVersion: mine?.version ?? null };
  return {
    mine,
    error: put.error ?? remove.error,
    isBusy: !list.data || put.isPending || remove.isPending,
    rate(rating: RatingValue, note?: string) {
      remove.reset();
      return put.mutateAsync({ ...place, rating, ...(note !== undefined && { note }) });
    },
    takeBack() {
      put.reset();
      remove.mutate(place);
    },
  };
}
