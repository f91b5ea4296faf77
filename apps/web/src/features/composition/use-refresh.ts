"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";

/** Reads again what a change of the composition changes on the pages: also presets, which stand on it. */
export function useRefresh(): () => Promise<void> {
  const trpc = useTRPC();
  const cache = useQueryClient();
  return async () => {
    await Promise.all([trpc.composition, trpc.plugin, trpc.preset].map((area) => cache.invalidateQueries({ queryKey: area.pathKey() })));
  };
}
