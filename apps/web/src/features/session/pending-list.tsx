"use client";
import { Clock, CornerDownRight, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { en } from "../../strings/en.ts";
import { Button } from "../../ui/button.tsx";
import type { PendingMessage } from "./model/state.ts";
import { shownText } from "./outbox.ts";
import type { Outbox } from "./use-outbox.ts";

const t = en.session.composer;

type Props = { pending: readonly PendingMessage[]; outbox: Outbox; onlyFailed: boolean };

/** What waits above the composer: messages in the inbox, and those on their way there. */
export function PendingList({ pending, outbox, onlyFailed }: Props): ReactNode {
  const messages = onlyFailed ? outbox.messages.filter((message) => message.state === "failed") : outbox.messages;
  if (pending.length === 0 && messages.length === 0) return null;
  return (
    <ul aria-label={t.queued} className="scroll-quiet mb-2 flex max-h-40 flex-col gap-1 overflow-y-auto">
      {pending.map((message) => (
        <Item
          key={message.messageId}
          text={message.text}
          note={message.target === "next-step" ? t.steering : t.queued}
          steer={message.target === "next-step"}
        />
      ))}
      {messages.map((message) =>
        message.state === "failed" ? (
          <Item key={message.clientKey} text={shownText(message)} note={`${t.failed} ${message.why ?? ""}`} failed>
            <Button size="small" onClick={() => outbox.retry(message.clientKey)}>
              {en.retry}
            </Button>
            <Button size="small" look="quiet" onClick={() => outbox.discard(message.clientKey)}>
              {t.discard}
            </Button>
          </Item>
        ) : (
          <Item key={message.clientKey} text={shownText(message)} note={t.sending} steer={message.target === "next-step"} />
        ),
      )}
    </ul>
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
