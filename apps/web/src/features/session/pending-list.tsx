"use client";
import { Clock, CornerDownRight, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "../../lib/cx.ts";
import { isPhone } from "../../lib/is-phone.ts";
import { agentTexts } from "../../strings/en/agent.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { type Queued, queuedOf } from "./model/queued.ts";
import type { Inbox } from "./model/state.ts";
import { shownText } from "./outbox.ts";
import { QueueItem } from "./queue-item.tsx";
import type { Outbox } from "./use-outbox.ts";
import { type QueueChange, useQueue } from "./use-queue.ts";

const t = sessionTexts.composer;

type Props = { org: string; sessionId: string; inbox: Inbox; outbox: Outbox; onlyFailed: boolean; isParked: boolean };

/** What waits above the composer: messages that a step is taking up, those in the inbox, and those on their way there. */
export default function PendingList({ org, sessionId, inbox, outbox, onlyFailed, isParked }: Props): ReactNode {
  const { change, error, isBusy } = useQueue(org, sessionId);
  const messages = onlyFailed ? outbox.messages.filter((message) => message.state === "failed") : outbox.messages;
  const lists = onlyFailed ? [] : [queuedOf(inbox["next-step"]), queuedOf(inbox["next-turn"])];
  const claimed = onlyFailed ? [] : queuedOf(inbox.claimed);
  const box = useRef<HTMLUListElement>(null);
  const changed = useRef<string | null>(null);
  const dragged = useRef<Queued | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is drawn anew when the change has arrived
  useEffect(
    function keepFocus() {
      if (changed.current === null || isBusy || document.activeElement !== document.body) return;
      const item = box.current?.querySelector(`[data-queued="${CSS.escape(changed.current)}"]`) ?? box.current;
      const next = item?.querySelector<HTMLElement>("button:enabled") ?? document.querySelector<HTMLElement>("[data-composer]");
      next?.focus();
    },
    [inbox, isBusy],
  );
  useEffect(
    () =>
      function leaveToComposer() {
        const isLost = changed.current !== null && document.activeElement === document.body;
        if (isLost && !isPhone()) document.querySelector<HTMLElement>("[data-composer]")?.focus();
      },
    [],
  );
  if (claimed.length + messages.length + lists.flat().length === 0) return null;
  const changeOne = ({ message: { messageId } }: Queued, what: QueueChange) => {
    changed.current = messageId;
    change(messageId, what);
  };
  const drop = ({ message, at }: Queued) => {
    const from = dragged.current;
    dragged.current = null;
    if (from && from.message.target === message.target && from.at !== at) changeOne(from, { kind: "move", index: at });
  };
  return (
    <div className="mb-2">
      <ul ref={box} aria-label={agentTexts.queue.label} className="scroll-quiet flex max-h-52 flex-col gap-1 overflow-y-auto">
        {claimed.map(({ message }) => (
          <Item key={message.messageId} text={message.text} note={t.steering} steer />
        ))}
        {lists.flat().map((queued) => (
          <QueueItem
            key={queued.message.messageId}
            queued={queued}
            isBusy={isBusy}
            isParked={isParked}
            onChange={(what) => changeOne(queued, what)}
            onDragStart={() => {
              dragged.current = queued;
            }}
            onDrop={() => drop(queued)}
          />
        ))}
        {messages.map((message) =>
          message.state === "failed" ? (
            <Item key={message.clientKey} text={shownText(message)} note={`${t.failed} ${message.why ?? ""}`} failed>
              <Button size="small" onClick={() => outbox.retry(message.clientKey)}>
                {commonTexts.retry}
              </Button>
              <Button size="small" look="quiet" onClick={() => outbox.discard(message.clientKey)}>
                {t.discard}
              </Button>
            </Item>
          ) : (
            <Item
              key={message.clientKey}
              text={shownText(message)}
              note={message.state === "sent" ? t.queued : t.sending}
              steer={message.target === "next-step"}
            />
          ),
        )}
      </ul>
      {error && (
        <p role="alert" className="mt-1 text-bad text-tool">
          {agentTexts.queue.failed} {problemOf(error).why}
        </p>
      )}
    </div>
  );
}

type ItemProps = { text: string; note: string; steer?: boolean; failed?: boolean; children?: ReactNode };

function Item({ text, note, steer, failed, children }: ItemProps): ReactNode {
  const Icon = failed ? TriangleAlert : steer ? CornerDownRight : Clock;
  return (
    <li
      role={failed ? "alert" : undefined}
      className={cx("flex items-center gap-2 rounded-box border px-3 py-1.5 text-tool", failed ? "bg-bad-wash" : "bg-card")}
    >
      <Icon aria-hidden className={cx("size-4 shrink-0", failed ? "text-bad" : "text-soft")} />
      <span className="min-w-0 flex-1">
        <span className={cx("block", failed ? "line-clamp-3 whitespace-pre-wrap" : "truncate")}>{text}</span>
        {failed && <span className="block text-bad text-xs">{note}</span>}
      </span>
      {!failed && <span className="shrink-0 text-soft text-xs">{note}</span>}
      {children}
    </li>
  );
}
