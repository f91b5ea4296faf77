"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { leaveText } from "../../lib/use-kept-text.ts";
import { useTRPC } from "../../trpc/client.ts";
import { draftKey } from "./draft-key.ts";
import { newClientKey } from "./outbox.ts";

/** Copies the session up to an event, or as a whole, and opens the copy; `draft` then waits in its composer (SES-23). */
export function useFork(org: string, sessionId: string) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const router = useRouter();
  const [clientKey, setClientKey] = useState(newClientKey);
  const fork = useMutation(trpc.session.fork.mutationOptions({ onError: () => setClientKey(newClientKey()) }));
  const start = (boundarySeq: number | null, draft = "") =>
    fork.mutate(
      { org, sessionId, clientKey, ...(boundarySeq !== null && { boundarySeq }) },
      {
        onSuccess: (made) => {
          setClientKey(newClientKey());
          if (draft) leaveText(draftKey(made.sessionId), draft);
          router.push(`/${org}/s/${made.sessionId}`);
          void cache.invalidateQueries({ queryKey: trpc.session.list.pathKey() });
        },
      },
    );
  return { fork, start };
}
