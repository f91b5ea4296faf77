"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { sessionTexts } from "../../strings/en/session.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { ActivityChip } from "./activity-chip.tsx";
import { Composer } from "./composer.tsx";
import { activityOf, isParked, isSentAway, isWorking } from "./model/activity.ts";
import { pendingMessages } from "./model/inbox.ts";
import { newClientKey, shownText } from "./outbox.ts";
import { SessionContext } from "./session-context.ts";
import { SessionHeader } from "./session-header.tsx";
import { SessionStart } from "./session-start.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useCommand } from "./use-command.ts";
import { useOutbox } from "./use-outbox.ts";
import { usePeople } from "./use-people.ts";
import { permissionOf, useReadings } from "./use-readings.ts";
import { useSessionStream } from "./use-session-stream.ts";

const PermissionSelect = lazy(() => import("./permission-select.tsx"));
const PendingList = lazy(() => import("./pending-list.tsx"));
const PromptPanel = lazy(() => import("./prompts/prompt-panel.tsx"));
const DecidedNote = lazy(() => import("./prompts/decided-note.tsx"));
const QueueNote = lazy(() => import("./queue-note.tsx"));
const ReadOnlyNote = lazy(() => import("./read-only-note.tsx"));
const ResumesNote = lazy(() => import("./resumes-note.tsx"));
const UsageMenu = lazy(() => import("./usage-menu.tsx"));
/** Rows, Markdown and tool cards are the heavy part: they load while the stream opens. */
const listModule = typeof window === "undefined" ? null : import("./session-list.tsx");
const SessionList = lazy(() => listModule ?? import("./session-list.tsx"));

/** A session that waits may turn out to be read-only; so often this is asked. */
const recheckMs = 4_000;

/** A session: its header, its rows, what it does now, and where to write. */
export function SessionView({ org, sessionId }: { org: string; sessionId: string }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const cache = useQueryClient();
  const { state, connection, failure, isLoadingOlder, loadOlder } = useSessionStream(org, sessionId);
  const outbox = useOutbox(org, sessionId, state);
  const { openRows, toggle } = useOpenRows();
  const said = useAnnouncements(state);
  const [stop, setStop] = useState<{ turn: number } | null>(null);

  const pending = useMemo(() => pendingMessages(state.inbox).filter((message) => message.text !== ""), [state.inbox]);
  const working = isWorking(state);
  const activity = activityOf(state);
  const lastTurn = state.turns.at(-1)?.turn ?? 0;
  const isStopping = working && (activity.kind === "stopping" || stop?.turn === lastTurn);
  const hasTurns = state.turns.length > 0;
  const me = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 })).data?.user ?? null;
  const waiting = [
    ...pending.map(({ messageId, author, text }) => ({ key: messageId, author, text })),
    ...outbox.messages
      .filter((message) => message.state !== "failed")
      .map((message) => ({ key: message.clientKey, author: me?.name ?? null, text: shownText(message) })),
  ];
  const parked = isParked(state) && outbox.messages.every((message) => message.state === "failed");
  const isQueued = !working && !parked && waiting.length > 0;
  const detail = useQuery(
    trpc.session.get.queryOptions(
      { org, sessionId },
      { refetchInterval: ({ state: { data } }) => (isQueued || (!hasTurns && data && data.waiting.length > 0) ? recheckMs : false) },
    ),
  );
  // of other browsers, and of this one before it was loaded again
  const unseen =
    hasTurns || waiting.length > 0 ? [] : (detail.data?.waiting ?? []).map(({ messageId, ...rest }) => ({ key: messageId, ...rest }));
  const isWaiting = isQueued || (!working && unseen.length > 0);
  const isReadOnly = detail.data?.status === "read-only";
  const onCommand = useCommand(org, sessionId, state.log);
  const readings = useReadings(org, sessionId, state);
  const { asks } = state;
  const people = usePeople(org, sessionId, state);
  const isAsked = asks.length > 0;
  const [hasAsked, setHasAsked] = useState(false);
  if (isAsked && !hasAsked) setHasAsked(true);
  const place = useMemo(() => ({ org, sessionId, people }), [org, sessionId, people]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a switch of the preset or of the permissions changes what the header and the composer say
  useEffect(
    function refreshDetail() {
      if (state.preset || state.permission) void cache.invalidateQueries({ queryKey: trpc.session.get.queryKey({ org, sessionId }) });
    },
    [cache, trpc, org, sessionId, state.preset?.key, state.permission],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists show the title and whether it works
  useEffect(
    function refreshLists() {
      if (state.caughtUp) void cache.invalidateQueries({ queryKey: trpc.session.list.pathKey() });
    },
    [cache, trpc, state.caughtUp, state.title, working, isAsked],
  );

  const onStop = useCallback(() => {
    setStop({ turn: lastTurn });
    client.session.cancel.mutate({ org, sessionId, clientKey: newClientKey(), keepInbox: true }).catch(() => setStop(null));
  }, [client, org, sessionId, lastTurn]);

  if (connection === "closed" || detail.error)
    return (
      <main id="content" className="mx-auto w-full max-w-2xl p-6 max-md:px-4 max-md:pt-14">
        <ProblemState
          level={1}
          what={sessionTexts.gone}
          error={failure ?? detail.error}
          onRetry={() => void cache.invalidateQueries().then(() => location.reload())}
        />
      </main>
    );

  return (
    <main id="content" className="flex h-full min-h-0 flex-col">
      <SessionHeader
        org={org}
        session={detail.data}
        title={state.title}
        config={state.config}
        isFresh={state.caughtUp && !hasTurns}
        needsYou={isAsked}
      />
      {hasTurns ? (
        <SessionContext value={place}>
          <Suspense fallback={<Waiting />}>
            <SessionList state={state} openRows={openRows} onToggle={toggle} isLoadingOlder={isLoadingOlder} loadOlder={loadOlder} />
          </Suspense>
        </SessionContext>
      ) : !state.caughtUp || !detail.data ? (
        <Waiting />
      ) : (
        <SessionStart
          waiting={[...waiting, ...unseen]}
          isReadOnly={isReadOnly}
          problem={detail.data?.status === "failed" ? detail.data.problem : null}
        />
      )}
      <div className="mx-auto w-full max-w-[792px] px-4 pb-3">
        {connection === "lost" && (
          <p role="status" className="appear-late mb-2 flex items-center gap-2 rounded-box border bg-warn-wash px-3 py-2 text-tool">
            <WifiOff aria-hidden className="size-4 shrink-0 text-warn" /> {sessionTexts.reconnecting}
          </p>
        )}
        {!isReadOnly && (
          <ActivityChip activity={isStopping ? { ...activity, kind: "stopping" } : activity} isQueued={isWaiting} isParked={parked} />
        )}
        <Suspense>
          {isWaiting && <QueueNote org={org} />}
          {!working && isSentAway(state) && <ResumesNote org={org} sessionId={sessionId} onStop={onStop} />}
          {hasAsked && <DecidedNote state={state} people={people} me={me?.id ?? null} />}
          {pending.length + outbox.messages.length > 0 && (
            <PendingList org={org} sessionId={sessionId} inbox={state.inbox} outbox={outbox} onlyFailed={!hasTurns} isParked={parked} />
          )}
          {isAsked && <PromptPanel org={org} sessionId={sessionId} asks={asks} onStop={onStop} isStopping={isStopping} />}
        </Suspense>
        {isReadOnly && !working ? (
          <Suspense>
            <ReadOnlyNote
              org={org}
              sessionId={sessionId}
              reason={detail.data?.problem ?? null}
              current={detail.data?.preset?.slug ?? null}
            />
          </Suspense>
        ) : (
          <Composer
            org={org}
            sessionId={sessionId}
            isAsked={isAsked}
            controls={
              <Suspense>
                {detail.data && (
                  <PermissionSelect org={org} sessionId={sessionId} current={permissionOf(readings, detail.data.permission)} />
                )}
                {readings && <UsageMenu readings={readings} />}
              </Suspense>
            }
            isWorking={working}
            steers={working || (!state.caughtUp && detail.data?.status !== "idle")}
            isStopping={isStopping}
            onSend={outbox.send}
            onCommand={onCommand}
            onStop={onStop}
          />
        )}
      </div>
      <div role="log" aria-live="polite" aria-relevant="additions" className="sr-only">
        {said.map((line) => (
          <p key={line.key}>{line.text}</p>
        ))}
      </div>
    </main>
  );
}

const Waiting = (): ReactNode => (
  <div className="mx-auto w-full max-w-[792px] flex-1 px-4 pt-6">
    <SkeletonRows rows={4} />
  </div>
);

/** Which rows and which turns the reader has opened; a turn's key is `turn:<number>`. */
function useOpenRows() {
  const [openRows, setOpenRows] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setOpenRows((old) => {
      const next = new Set(old);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  return { openRows, toggle };
}
