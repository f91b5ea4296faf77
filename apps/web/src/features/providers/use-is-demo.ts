"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";

/** Whether a provider is the scripted demo, whose answers are not real. */
export function useIsDemo(org: string, slug: string | null): boolean {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.provider.list.queryOptions({ org }, { staleTime: 60_000 }));
  return data?.find((provider) => provider.slug === slug)?.kind === "demo";
}
