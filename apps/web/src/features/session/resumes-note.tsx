"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { duration } from "../../lib/format.ts";
import { agentTexts } from "../../strings/en/agent.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { useTick } from "../../ui/time.tsx";

const t = agentTexts.resumes;
const refetchMs = 5_000;

/** A provider sent the last turn away for a long time: when the session goes on by itself, and a way not to have it (CP-56). */
export default function ResumesNote({ org, sessionId, onStop }: { org: string; sessionId: string; onStop: () => void }): ReactNode {
  const options = { refetchOnMount: "always", refetchInterval: refetchMs } as const;
  const { data } = useQuery(useTRPC().session.get.queryOptions({ org, sessionId }, options));
  const now = useTick(1_000);
  if (!data?.wakeAt) return null;
  const leftMs = new Date(data.wakeAt).getTime() - now;
  return (
    <Note
      kind="info"
      title={t.title}
      action={
        <Button size="small" onClick={onStop}>
          {t.stay}
        </Button>
      }
    >
      {leftMs < 1_000 ? t.now : fill(t.when, { time: duration(leftMs) })} {t.sooner}
    </Note>
  );
}
