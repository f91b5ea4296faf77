"use client";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { duration } from "../../../lib/format.ts";
import { useTick } from "../../../ui/time.tsx";

/** Opens and closes a row by its key. */
export type ToggleRow = (key: string) => void;

type LineProps = { open: boolean; onToggle: () => void; icon?: ReactNode; children: ReactNode; end?: ReactNode; className?: string };

/** A row of one line that opens in place. */
export function FoldLine({ open, onToggle, icon, children, end, className }: LineProps): ReactNode {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={cx("-mx-2 flex w-[calc(100%+16px)] items-center gap-2 rounded-md px-2 py-1 text-left text-tool hover:bg-hover", className)}
    >
      {icon ?? (
        <ChevronRight aria-hidden className={cx("size-4 shrink-0 text-soft transition-transform duration-100", open && "rotate-90")} />
      )}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {end}
    </button>
  );
}

/** Time since `since`, once a second; nothing during the first second, so that quick calls do not flicker. */
export function Elapsed({ since }: { since: number }): ReactNode {
  const now = useTick(1_000);
  return now - since < 1_000 ? null : <span className="tabular">{duration(now - since)}</span>;
}
