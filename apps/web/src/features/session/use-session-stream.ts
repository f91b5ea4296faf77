"use client";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useTRPCClient } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { type Connection, followSession } from "./model/follow-session.ts";
import { sessionReducer } from "./model/reducer.ts";
import { emptySession, firstSeq, hasOlder, lastSeq, type SessionState } from "./model/state.ts";

const pageEvents = 500;
/** After a page that did not come, the next scroll may ask again. */
const failedPageMs = 2_000;
const finalCodes = new Set(["NOT_FOUND", "FORBIDDEN", "UNAUTHENTICATED", "BAD_REQUEST", "SESSION_CORRUPT", "SESSION_UNSUPPORTED"]);

export type SessionStream = {
  state: SessionState;
  connection: Connection;
  /** why the stream ended for good */
  failure: unknown;
  isLoadingOlder: boolean;
  loadOlder: () => void;
};

/** The session as the server tells it, live, and its earlier pages on demand. */
export function useSessionStream(org: string, sessionId: string): SessionStream {
  const client = useTRPCClient();
  const [state, dispatch] = useReducer(sessionReducer, emptySession);
  const [connection, setConnection] = useState<{ now: Connection; failure?: unknown }>({ now: "connecting" });
  const [isLoadingOlder, setIsLoadingOlder] = useState(false);
  const latest = useRef(state);
  latest.current = state;

  useEffect(
    function followTheSession() {
      return followSession({
        lastEventId: () => (latest.current.log.length > 0 ? String(lastSeq(latest.current)) : null),
        isFinal: (error) => finalCodes.has(problemOf(error).code),
        onBatch: (batch) => dispatch({ type: "batch", batch }),
        onConnection: (now, failure) => setConnection((old) => (old.now === now ? old : { now, failure })),
        subscribe: ({ lastEventId, once }, on) => {
          const subscription = client.session.stream.subscribe(
            { org, sessionId, ...(lastEventId !== null && { lastEventId }), ...(once && { once }) },
            {
              onData: ({ data }) => on.onBatch(data),
              onConnectionStateChange: ({ state: now, error }) => {
                if (now === "pending") on.onLive();
                if (now === "connecting" && error) on.onLost();
              },
              onError: on.onEnd,
              onComplete: () => on.onEnd(null),
            },
          );
          return () => subscription.unsubscribe();
        },
      });
    },
    [client, org, sessionId],
  );

  const isAsking = useRef(false);
  const loadOlder = useCallback(() => {
    const before = firstSeq(latest.current);
    if (before === null || isAsking.current || !hasOlder(latest.current)) return;
    isAsking.current = true;
    setIsLoadingOlder(true);
    const settle = () => {
      isAsking.current = false;
      setIsLoadingOlder(false);
    };
    const page = client.session.events.query({ org, sessionId, before, limit: pageEvents });
    page.then(({ events }) => dispatch({ type: "older", events })).then(settle, () => setTimeout(settle, failedPageMs));
  }, [client, org, sessionId]);

  return { state, connection: connection.now, failure: connection.failure, isLoadingOlder, loadOlder };
}
