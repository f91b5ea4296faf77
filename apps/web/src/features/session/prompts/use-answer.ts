"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client.ts";
import type { Outputs } from "../../../trpc/outputs.ts";
import { newClientKey } from "../outbox.ts";

export type Prompt = Outputs["prompt"]["list"][number];
type Said =
  | { outcome: "allow-once" | "deny" | "dismiss" }
  | { outcome: "answer"; answers: { id: string; selected: string[]; custom?: string }[] };

/** Answers what was shown, and nothing else: the prompt's binding goes with it (SC-P2). The log says when the session has it. */
export function useAnswer(org: string, sessionId: string, { id: promptId, binding }: Prompt) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [clientKey, setClientKey] = useState(newClientKey);
  const answer = useMutation(
    trpc.prompt.answer.mutationOptions({
      onError: () => setClientKey(newClientKey()),
      onSettled: () => cache.invalidateQueries({ queryKey: trpc.prompt.list.queryKey({ org, sessionId }) }),
    }),
  );
  return { answer, say: (said: Said) => answer.mutate({ org, promptId, binding, clientKey, ...said }) };
}
