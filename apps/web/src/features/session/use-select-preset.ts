"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client.ts";
import { newClientKey } from "./outbox.ts";

/** The presets that a session can be switched to, and the switch; the log says when it has happened. */
export function useSelectPreset(org: string, sessionId: string) {
  const trpc = useTRPC();
  const [clientKey, setClientKey] = useState(newClientKey);
  const presets = useQuery(trpc.preset.list.queryOptions({ org })).data ?? [];
  const select = useMutation(trpc.session.selectPreset.mutationOptions({ onSettled: () => setClientKey(newClientKey()) }));
  return { presets, select, choose: (preset: string) => select.mutate({ org, sessionId, preset, clientKey }) };
}
