"use client";
import { type ReactNode, useMemo, useState } from "react";
import { cx } from "../../../lib/cx.ts";
import { homeTexts } from "../../../strings/en/home.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { fill } from "../../../strings/fill.ts";
import { lineDiff } from "./line-diff.ts";

type Diff = { path: string; oldText: string | null; newText: string; startLine?: number | undefined };

/** Lines at first, and with each press on "more": so many rows are drawn at once without a pause that is felt (CP-11). */
const firstLines = 60;
const moreLines = 2_000;
const marks = { same: " ", old: "−", new: "+" } as const;
const looks = { same: "", old: "bg-bad-wash", new: "bg-good-wash" } as const;

const count = (lines: number): string => lines.toLocaleString("en");

/** `whole`: it has to be read before it happens, so little is folded. `wraps`: long lines are read here, not scrolled sideways. */
type Props = { diff: Diff; whole?: boolean; wraps?: boolean };

/** One changed file, line by line. */
export function DiffView({ diff, whole = false, wraps = whole }: Props): ReactNode {
  const [limit, setLimit] = useState(whole ? moreLines : firstLines);
  const lines = useMemo(() => lineDiff(diff.oldText, diff.newText, diff.startLine ?? 1), [diff]);
  const shown = lines.slice(0, limit);
  const added = lines.filter((line) => line.kind === "new").length;
  const digits = Math.max(3, ...[lines[0], lines.at(-1)].map((line) => String(line?.newNumber ?? line?.oldNumber ?? 0).length));
  const removed = lines.filter((line) => line.kind === "old").length;
  return (
    <figure className="overflow-hidden rounded-box border bg-panel">
      <figcaption className="flex items-center gap-3 border-b px-3 py-1.5 text-xs">
        <code className="min-w-0 truncate font-mono">{diff.path}</code>
        {diff.oldText === null && <span className="whitespace-nowrap text-soft">{sessionTexts.created}</span>}
        <span className="tabular ml-auto shrink-0">
          <span className="text-good">+{count(added)}</span> <span className="text-bad">−{count(removed)}</span>
        </span>
      </figcaption>
      <section
        tabIndex={whole ? undefined : 0}
        aria-label={diff.path}
        className={cx("scroll-quiet py-1 font-mono text-tool", !whole && "max-h-[480px] overflow-auto")}
      >
        <div className={cx(!wraps && "min-w-max")}>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one fixed change
            <div key={at} className={cx("flex px-3", wraps ? "whitespace-pre-wrap" : "whitespace-pre", looks[line.kind])}>
              <span className="box-content shrink-0 select-none pr-3 text-right text-soft" style={{ width: `${digits}ch` }}>
                {line.newNumber ?? line.oldNumber}
              </span>
              <span className={cx("w-4 shrink-0 select-none", line.kind === "old" && "text-bad", line.kind === "new" && "text-good")}>
                {marks[line.kind]}
              </span>
              <span className={cx(wraps && "min-w-0 [overflow-wrap:anywhere]")}>{line.text}</span>
            </div>
          ))}
        </div>
      </section>
      {lines.length > shown.length && (
        <button
          type="button"
          onClick={() => setLimit(limit + moreLines)}
          className="w-full border-t px-3 py-1.5 text-left text-accent text-xs hover:bg-hover"
        >
          {fill(sessionTexts.hidden, { n: count(lines.length - shown.length) })}. {homeTexts.more}
        </button>
      )}
    </figure>
  );
}
