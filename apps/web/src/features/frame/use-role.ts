"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";

/** Whether the person may administer the organisation; undefined while it is not known. The procedures decide again (SC-W8). */
export function useIsAdmin(org: string): boolean | undefined {
  const { data } = useQuery(useTRPC().me.get.queryOptions(undefined, { staleTime: 60_000 }));
  if (!data) return undefined;
  const role = data.orgs.find((one) => one.slug === org)?.role;
  return role === "owner" || role === "admin";
}
