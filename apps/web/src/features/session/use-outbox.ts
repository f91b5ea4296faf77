"use client";
import type { AttachmentId } from "@gantry/contracts";
import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import { browserZone } from "../../lib/browser-zone.ts";
import { useTRPCClient } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { hasMessage } from "./model/has-message.ts";
import type { SessionState } from "./model/state.ts";
import { loadOutbox, newClientKey, type Outgoing, saveOutbox } from "./outbox.ts";

export type Outbox = {
  messages: readonly Outgoing[];
  send: (text: string, target: Outgoing["target"], attachments?: Outgoing["attachments"]) => void;
  retry: (clientKey: string) => void;
  discard: (clientKey: string) => void;
};

/** Before the tab's storage has been read. */
const none: readonly Outgoing[] = [];

/** Messages that the session's log does not have yet. Sending again uses the same key, so nothing arrives twice. */
export function useOutbox(org: string, sessionId: string, state: SessionState): Outbox {
  const client = useTRPCClient();
  const [messages, setMessages] = useState<readonly Outgoing[]>(none);

  useLayoutEffect(
    // not at once: the server's page knows nothing of what this tab has
    function readAfterTheServersPage() {
      setMessages(loadOutbox(sessionId));
    },
    [sessionId],
  );
  useEffect(
    function keepUndelivered() {
      if (messages === none) return;
      const open = messages.filter((message) => message.state !== "sent" || !hasMessage(state, message));
      if (open.length !== messages.length) setMessages(open);
      saveOutbox(sessionId, open);
    },
    [messages, state, sessionId],
  );

  const post = useCallback(
    (message: Outgoing) => {
      const patch = (change: Partial<Outgoing>) =>
        setMessages((old) => old.map((item) => (item.clientKey === message.clientKey ? { ...item, ...change } : item)));
      const { clientKey, text, target, attachments = [] } = message;
      const attachmentIds = attachments.map(({ attachmentId }) => attachmentId as AttachmentId);
      patch({ state: "sending", why: null });
      client.session.send.mutate({ org, sessionId, clientKey, text, target, attachmentIds, timeZone: browserZone() }).then(
        ({ messageId }) => patch({ state: "sent", messageId }),
        (error) => patch({ state: "failed", why: problemOf(error).why }),
      );
    },
    [client, org, sessionId],
  );
  const send = useCallback(
    (text: string, target: Outgoing["target"], attachments: Outgoing["attachments"] = []) => {
      const files = attachments.length > 0 ? { attachments } : {};
      const message: Outgoing = { clientKey: newClientKey(), text, ...files, target, state: "sending", messageId: null, why: null };
      setMessages((old) => [...old, message]);
      post(message);
    },
    [post],
  );
  const retry = (clientKey: string) => {
    const message = messages.find((item) => item.clientKey === clientKey);
    if (message) post(message);
  };
  const discard = (clientKey: string) => setMessages((old) => old.filter((item) => item.clientKey !== clientKey));
  return { messages, send, retry, discard };
}
