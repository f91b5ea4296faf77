"use client";
import { useCallback } from "react";
import { useTRPCClient } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { newClientKey } from "./outbox.ts";

/** Sends a human command; answers with why it was refused, or null. What becomes of it is in the log. */
export function useCommand(org: string, sessionId: string): (text: string) => Promise<string | null> {
  const client = useTRPCClient();
  return useCallback(
    (text: string) =>
      client.session.command.mutate({ org, sessionId, text, clientKey: newClientKey() }).then(
        () => null,
        (error: unknown) => problemOf(error).why,
      ),
    [client, org, sessionId],
  );
}
