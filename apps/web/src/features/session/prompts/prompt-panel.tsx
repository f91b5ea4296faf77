"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { agentTexts } from "../../../strings/en/agent.ts";
import { useTRPC } from "../../../trpc/client.ts";
import { ProblemState } from "../../../trpc/problem-state.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import type { OpenAsk } from "../model/state.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";

type Props = { org: string; sessionId: string; asks: readonly OpenAsk[]; onStop: () => void; isStopping: boolean };

/** A question may run out of time while nobody looks; so often that is asked. */
const recheckMs = 20_000;

/** Stands in the composer's place while the session waits for a person. The log says that somebody is asked, the server what exactly. */
export default function PromptPanel({ org, sessionId, asks, onStop, isStopping }: Props): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const list = useQuery(trpc.prompt.list.queryOptions({ org, sessionId }, { refetchInterval: recheckMs }));
  const asked = asks.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the log asks or takes back changes the list
  useEffect(
    function refreshPrompts() {
      void cache.invalidateQueries({ queryKey: trpc.prompt.list.queryKey({ org, sessionId }) });
    },
    [cache, trpc, org, sessionId, asked],
  );
  const open = (list.data ?? []).filter(({ id }) => asks.some((ask) => ask.id === id));
  const [prompt] = open;
  const box = useRef<HTMLDivElement>(null);
  const keptAt = useKeptFocus(box, prompt?.id);
  if (list.error) return <ProblemState error={list.error} onRetry={() => void list.refetch()} />;
  if (!prompt)
    return list.isFetching ? (
      <Skeleton className="h-40" />
    ) : (
      <p role="status" className="rounded-box border bg-card px-4 py-3 text-soft text-sm">
        {agentTexts.sent}
      </p>
    );
  const stop = { onStop, isStopping };
  return (
    <div ref={box}>
      {prompt.kind === "approval" ? (
        <ApprovalCard
          key={prompt.id}
          org={org}
          sessionId={sessionId}
          prompt={prompt}
          more={open.length - 1}
          focusKeptAt={keptAt}
          {...stop}
        />
      ) : (
        <QuestionCard key={prompt.id} org={org} sessionId={sessionId} prompt={prompt} {...stop} />
      )}
    </div>
  );
}
