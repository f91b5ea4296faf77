"use client";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client.ts";
import { newClientKey } from "./outbox.ts";

export type QueueChange = { kind: "remove" } | { kind: "steer" } | { kind: "edit"; text: string } | { kind: "move"; index: number };

/** Changes of what waits; the log brings them back as they happened. */
export function useQueue(org: string, sessionId: string) {
  const trpc = useTRPC();
  const change = useMutation(trpc.session.queue.mutationOptions());
  return {
    error: change.error,
    isBusy: change.isPending,
    change: (messageId: string, what: QueueChange) => change.mutate({ org, sessionId, messageId, change: what, clientKey: newClientKey() }),
  };
}
