"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";

/** What holds for this person in this workspace when nothing is picked; each null while it is not known or not set. */
export function useDefaults(org: string, workspaceId: string): Record<"preset" | "provider" | "model" | "permission", string | null> {
  const trpc = useTRPC();
  const input = { org, ...(workspaceId && { workspaceId }) };
  const { data } = useQuery(trpc.settings.list.queryOptions(input, { staleTime: 60_000 }));
  const effectiveOf = (namespace: string, field: string): string | null => {
    const value = data?.find(({ name }) => name === namespace)?.effective[field];
    return typeof value === "string" ? value : null;
  };
  return {
    preset: effectiveOf("presets", "default"),
    provider: effectiveOf("models", "provider"),
    model: effectiveOf("models", "model"),
    permission: effectiveOf("permissions", "default"),
  };
}
