"use client";
import type { SessionEvent } from "@gantry/contracts";
import { parseCommand } from "@gantry/contracts/parse-command";
import { useCallback, useEffect, useState } from "react";
import { useTRPCClient } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { exportHref } from "./export-href.ts";
import { commandEnd } from "./model/commands.ts";
import { newClientKey } from "./outbox.ts";

/**
 * Sends a human command; answers with why it was refused, or null. What becomes of it is in the log. An `/export` of this tab begins its download once its
 * pair is there (EXP-1).
 */
export function useCommand(org: string, sessionId: string, log: readonly SessionEvent[]): (text: string) => Promise<string | null> {
  const client = useTRPCClient();
  const [exports, setExports] = useState<readonly string[]>([]);

  useEffect(
    function beginDownloads() {
      const ended = exports.filter((runId) => commandEnd(log, runId) !== null);
      if (ended.length === 0) return;
      setExports(exports.filter((runId) => !ended.includes(runId)));
      if (ended.some((runId) => commandEnd(log, runId) === "success")) download(exportHref(org, sessionId, "jsonl"));
    },
    [exports, log, org, sessionId],
  );

  return useCallback(
    (text: string) =>
      client.session.command.mutate({ org, sessionId, text, clientKey: newClientKey() }).then(
        ({ runId }) => {
          if (parseCommand(text.trimEnd())?.name === "export") setExports((waiting) => [...waiting, runId]);
          return null;
        },
        (error: unknown) => problemOf(error).why,
      ),
    [client, org, sessionId],
  );
}

function download(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
