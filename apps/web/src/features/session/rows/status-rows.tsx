"use client";
import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CirclePause, Layers, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { duration } from "../../../lib/format.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { count, fill } from "../../../strings/fill.ts";
import { useTick } from "../../../ui/time.tsx";
import type { EndRow, MoreRow, PresetRow, RetryRow, SummaryRow, TodosRow } from "../model/rows.ts";
import { FoldLine, type ToggleRow } from "./parts.tsx";

const t = sessionTexts;

/** The work of a settled turn in one line. */
export function SummaryRowView({ row, onToggle }: { row: SummaryRow; onToggle: ToggleRow }): ReactNode {
  const parts = [
    row.workedMs === null ? t.workedUnknown : fill(t.worked, { time: row.workedMs < 1_000 ? t.underASecond : duration(row.workedMs) }),
    row.toolCalls > 0 && count(row.toolCalls, t.toolOne, t.tools),
    row.files.length > 0 && count(row.files.length, t.fileOne, t.files),
  ].filter(Boolean);
  return (
    <FoldLine open={row.open} onToggle={() => onToggle(`turn:${row.turn}`)} className="text-soft">
      <span className="tabular">{parts.join(" · ")}</span>
    </FoldLine>
  );
}

export const MoreRowView = ({ row, onToggle }: { row: MoreRow; onToggle: ToggleRow }): ReactNode => (
  <FoldLine open={false} onToggle={() => onToggle(`turn:${row.turn}`)} className="text-soft">
    {fill(t.more, { n: row.count })}
  </FoldLine>
);

export const PresetRowView = ({ row }: { row: PresetRow }): ReactNode => (
  <p className="flex items-center gap-2 py-1 text-soft text-tool">
    <Layers aria-hidden className="size-4 shrink-0" />
    <span className="tabular min-w-0 truncate">{fill(t.preset.selected, { slug: row.slug, n: row.revision })}</span>
  </p>
);

const todoIcons = {
  pending: <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-soft" />,
  in_progress: <CircleDot aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />,
  completed: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />,
};

export function TodosRowView({ row }: { row: TodosRow }): ReactNode {
  const done = row.todos.filter((todo) => todo.status === "completed").length;
  return (
    <section aria-label={t.todos} className="my-1 rounded-box border px-4 py-3">
      <div className="mb-2 flex justify-between text-soft text-xs">
        <h2 className="font-medium">{t.todos}</h2>
        <span className="tabular">{fill(t.todosDone, { done, all: row.todos.length })}</span>
      </div>
      <ul className="flex flex-col gap-1 text-tool">
        {row.todos.map((todo, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is rewritten as a whole and texts may repeat
          <li key={at} className="flex gap-2">
            {todoIcons[todo.status]}
            <span className={cx("break-words", todo.status === "completed" && "text-soft line-through")}>{todo.content}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function RetryRowView({ row }: { row: RetryRow }): ReactNode {
  const now = useTick(1_000);
  const values = { why: reasonOf(row), n: row.retry, max: row.maxRetries ?? "?", time: duration(row.untilTime - now) };
  return (
    <p className="flex items-start gap-2 py-1 text-soft text-tool">
      <RotateCw aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <span className="tabular min-w-0 break-words">{fill(t.retry[row.state], values)}</span>
    </p>
  );
}

const reasonOf = ({ failure }: RetryRow): string => [failure.status, failure.message].filter(Boolean).join(" ");

/** How a turn ended that did not simply complete: what, why, what to do. */
export function EndRowView({ row }: { row: EndRow }): ReactNode {
  const { what, why, todo, tone } = endTexts(row.reason);
  const isBad = tone === "bad";
  const Icon = isBad ? CircleAlert : CirclePause;
  return (
    <section
      role={isBad ? "alert" : "note"}
      className={cx("my-2 flex gap-3 rounded-box border px-4 py-3", isBad ? "bg-bad-wash" : "bg-warn-wash")}
    >
      <Icon aria-hidden className={cx("mt-0.5 size-5 shrink-0", isBad ? "text-bad" : "text-warn")} />
      <div className="min-w-0 text-sm">
        <h2 className="font-medium">{what}</h2>
        {why && <p className="mt-0.5 break-words">{why}</p>}
        {todo && <p className="mt-0.5">{todo}</p>}
      </div>
    </section>
  );
}

type EndText = { what: string; why: string; todo: string; tone: "bad" | "warn" };

function endTexts(reason: EndRow["reason"]): EndText {
  const { ends } = t;
  switch (reason.kind) {
    case "aborted":
      return reason.reason === "user"
        ? { ...ends.user, tone: "warn" }
        : { ...ends.aborted, why: reason.detail ?? ends.aborted.why, tone: "warn" };
    case "blocked":
      return { ...ends.blocked, why: reason.detail ?? ends.blocked.why, tone: "warn" };
    case "max-tokens":
      return { ...ends.tokens, tone: "warn" };
    case "interrupted":
      return { ...ends.interrupted, tone: "warn" };
    case "error": {
      const { message, code, status, requestId } = reason.error;
      const facts = [code, status, requestId].filter(Boolean).join(" · ");
      const isKey = status === 401 || status === 403;
      return { what: ends.error.what, why: `${message} (${facts})`, todo: isKey ? ends.auth.todo : ends.error.todo, tone: "bad" };
    }
  }
}
