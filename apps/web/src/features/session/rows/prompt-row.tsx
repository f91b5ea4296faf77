"use client";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { en } from "../../../strings/en.ts";
import { Time } from "../../../ui/time.tsx";
import type { PromptRow } from "../model/rows.ts";
import type { ToggleRow } from "./parts.tsx";

const longChars = 1_500;

/** What a person asked: a quiet card with author and time. Long ones show their beginning. */
export function PromptRowView({ row, open, onToggle }: { row: PromptRow; open: boolean; onToggle: ToggleRow }): ReactNode {
  const isLong = row.text.length > longChars || row.text.split("\n").length > 16;
  return (
    <section aria-label={`${row.author ?? en.session.someone}:`} className="mt-3 rounded-box border bg-card px-4 py-3">
      <div className="mb-1 flex items-baseline justify-between gap-3 text-soft text-xs">
        <span className="truncate font-medium">{row.author ?? en.session.someone}</span>
        <Time at={row.time} />
      </div>
      <p className={cx("whitespace-pre-wrap break-words text-base", isLong && !open && "line-clamp-10")}>{row.text}</p>
      {isLong && (
        <button type="button" onClick={() => onToggle(row.key)} className="mt-1 text-accent text-tool hover:underline">
          {open ? en.session.openLess : en.home.more}
        </button>
      )}
    </section>
  );
}
