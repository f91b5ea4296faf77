"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { sessionTexts } from "../../strings/en/session.ts";
import { Button } from "../../ui/button.tsx";
import { listRows } from "./model/list-rows.ts";
import type { Row } from "./model/rows.ts";
import { hasOlder, type SessionState } from "./model/state.ts";
import { RowView } from "./rows/row-view.tsx";

type Props = {
  state: SessionState;
  openRows: ReadonlySet<string>;
  onToggle: (key: string) => void;
  isLoadingOlder: boolean;
  loadOlder: () => void;
};

/** Distance from the end, in pixels, within which the list stays at the end. */
const endPx = 64;
/** Older pages are asked for when the reader comes within so many rows of the first. */
const nearStartRows = 12;
const heights: Record<Row["kind"], number> = {
  preset: 28,
  permission: 28,
  command: 28,
  compaction: 28,
  prompt: 96,
  notice: 28,
  text: 96,
  reasoning: 28,
  tool: 28,
  todos: 120,
  retry: 28,
  end: 88,
  summary: 28,
  footer: 60,
  more: 28,
};

/** A turn that the reader has opened is in the list of opened rows as `turn:<number>`. */
const openTurns = (openRows: ReadonlySet<string>): ReadonlySet<number> =>
  new Set([...openRows].flatMap((key) => (key.startsWith("turn:") ? [Number(key.slice(5))] : [])));

/** Scrolls down until the row's end is in view, or its beginning is at the top. */
function reveal(row: Element, box: HTMLElement | null): void {
  if (!box) return;
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  const by = Math.min(inner.bottom - outer.bottom, inner.top - outer.top);
  if (by > 0) box.scrollTop += by;
}

/** The rows of a session: only those in view are in the page. It stays at the end until the reader leaves it. */
export default function SessionList({ state, openRows, onToggle, isLoadingOlder, loadOlder }: Props): ReactNode {
  const rows = useMemo(() => listRows(state, openTurns(openRows)), [state, openRows]);
  const scroller = useRef<HTMLDivElement>(null);
  const stick = useRef(true);
  const [isAway, setIsAway] = useState(false);
  const getItemKey = useCallback((at: number) => rows[at]?.key ?? at, [rows]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: (at) => heights[rows[at]?.kind ?? "tool"],
    overscan: 8,
    paddingStart: 24,
    paddingEnd: 24,
    gap: 4,
    anchorTo: "end",
    followOnAppend: stick.current,
    scrollEndThreshold: stick.current ? endPx : -1,
    directDomUpdates: true,
    useFlushSync: false,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: an opened row changes heights, and the end stays in view
  useLayoutEffect(
    function stayAtTheEnd() {
      if (rows.length > 0 && stick.current) list.scrollToEnd();
    },
    [rows, openRows, list],
  );

  useEffect(
    function stayAtTheEndInLessRoom() {
      const box = scroller.current;
      if (!box) return;
      // the composer grows, a question opens, a phone is turned: what was last is still in view
      const watch = new ResizeObserver(() => stick.current && list.scrollToEnd());
      watch.observe(box);
      return () => watch.disconnect();
    },
    [list],
  );

  useEffect(
    function loadWhatFits() {
      const box = scroller.current;
      if (!box || !state.caughtUp || !hasOlder(state) || isLoadingOlder) return;
      // without anything to scroll nobody could ask for more: long turns fold to a line
      if (box.scrollHeight <= box.clientHeight) loadOlder();
    },
    [state, isLoadingOlder, loadOlder],
  );

  const lastTop = useRef(0);
  const onScroll = () => {
    const top = scroller.current?.scrollTop ?? 0;
    const isAtEnd = list.getDistanceFromEnd() <= endPx;
    if (isAtEnd || top < lastTop.current) stick.current = isAtEnd;
    lastTop.current = top;
    setIsAway(!stick.current && !isAtEnd);
    if (hasOlder(state) && !isLoadingOlder && (list.getVirtualItems()[0]?.index ?? nearStartRows) < nearStartRows) loadOlder();
  };
  /** What the reader opens stays where it is, also at the end of the list; what opens below the edge comes into view as far as its line stays there. */
  const toggle = useCallback(
    (key: string) => {
      stick.current = false;
      onToggle(key);
      const line = document.activeElement?.closest("[data-index]");
      if (line) requestAnimationFrame(() => reveal(line, scroller.current));
    },
    [onToggle],
  );

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the log scrolls by keyboard
        tabIndex={0}
        aria-label={sessionTexts.log}
        className="scroll-quiet h-full overflow-y-auto overscroll-contain [scrollbar-gutter:stable_both-edges] focus-visible:outline-offset-[-2px]"
      >
        <div className="mx-auto w-full max-w-[792px] px-4">
          <div ref={list.containerRef} className="relative w-full">
            {list.getVirtualItems().map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <div key={item.key} data-index={item.index} ref={list.measureElement} className="absolute top-0 left-0 w-full">
                    <RowView row={row} open={openRows.has(row.key)} onToggle={toggle} />
                  </div>
                )
              );
            })}
          </div>
        </div>
      </section>
      {isLoadingOlder && (
        <p role="status" className="-translate-x-1/2 absolute top-2 left-1/2 rounded-full border bg-card px-3 py-1 text-soft text-xs">
          {sessionTexts.older}
        </p>
      )}
      {isAway && (
        <Button
          size="small"
          className="-translate-x-1/2 absolute bottom-3 left-1/2 rounded-full shadow-md"
          onClick={() => {
            stick.current = true;
            setIsAway(false);
            list.scrollToEnd();
          }}
        >
          <ArrowDown aria-hidden className="size-4" /> {sessionTexts.jump}
        </Button>
      )}
    </div>
  );
}
