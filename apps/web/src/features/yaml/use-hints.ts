"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { presets } from "../../strings/en/presets.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import type { Hints } from "./completions.ts";

export type PluginHint = Outputs["preset"]["hints"]["plugins"][number];

/** Plugins of one plane, and what the editor completes from; both empty until they are loaded. They change with a release only. */
export function useHints(org: string, plane: "preset" | "host"): { plugins: readonly PluginHint[]; editor: Hints | undefined } {
  const { data } = useQuery(useTRPC().preset.hints.queryOptions({ org }, { staleTime: 3_600_000 }));
  return useMemo(() => {
    const plugins = data?.plugins.filter(({ planes }) => planes.includes(plane)) ?? [];
    const editor = data && {
      plugins: [...plugins, { name: data.group, description: presets.groupHint, config: null }],
      services: data.services,
      operators: [...data.operators.condition, ...data.operators.value],
      facts: data.facts.map(({ name }) => name),
    };
    return { plugins, editor };
  }, [data, plane]);
}
