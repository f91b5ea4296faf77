"use client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import type { SessionState } from "./model/state.ts";

export type Readings = Outputs["session"]["projections"];

/** What the whole log says in sum; read again after each step, and after what changes it between turns. */
export function useReadings(org: string, sessionId: string, { settled, caughtUp, permission, turns }: SessionState): Readings | undefined {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const input = { org, sessionId, limit: 1 };
  const mark = `${settled.turn}.${settled.step}.${permission}.${turns.at(-1)?.after.length ?? 0}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a finished step changes the sums
  useEffect(
    function readAgain() {
      if (caughtUp) void cache.invalidateQueries({ queryKey: trpc.session.projections.queryKey({ org, sessionId, limit: 1 }) });
    },
    [cache, trpc, org, sessionId, caughtUp, mark],
  );
  return useQuery(trpc.session.projections.queryOptions(input, { enabled: caughtUp, placeholderData: keepPreviousData, staleTime: 30_000 }))
    .data;
}

const modes: Readonly<Record<string, readonly [mode: string, policy: string]>> = {
  "read-only": ["read-only", "ask"],
  "workspace-write": ["workspace-write", "ask"],
  "danger-full-access": ["danger-full-access", "never"],
};

/** The permission preset that the session is on, or `custom` where the facts in its log fit none (PRM-3). */
export function permissionOf(readings: Readings | undefined, ofRow: string): string {
  const said = readings?.permissions;
  if (!said?.mode || !said.policy) return said?.preset ?? ofRow;
  const name = said.preset ?? ofRow;
  const [mode, policy] = modes[name] ?? [];
  if (mode === said.mode && policy === said.policy) return name;
  return Object.keys(modes).find((other) => modes[other]?.[0] === said.mode && modes[other]?.[1] === said.policy) ?? "custom";
}
