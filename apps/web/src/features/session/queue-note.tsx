"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { presetChoice as t } from "../../strings/en/preset-choice.ts";
import { useTRPC } from "../../trpc/client.ts";
import { Note } from "../../ui/note.tsx";

const refetchMs = 5_000;

/** Why a message waits, when it is the installation's fault: no worker can be told of it, or there is none. */
export default function QueueNote({ org }: { org: string }): ReactNode {
  const { data } = useQuery(useTRPC().system.status.queryOptions({ org }, { refetchInterval: refetchMs }));
  if (!data || (data.isQueueUp && data.installation)) return null;
  return (
    <Note kind="warn" title={data.isQueueUp ? t.noWorker : t.queueDown}>
      {t.queueText}
    </Note>
  );
}
