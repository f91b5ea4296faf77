"use client";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** A row that scrolls sideways when it is too narrow: it starts at its current place and shows that there is more behind its right edge. */
export function ScrollRow({ children, className }: { children: ReactNode; className?: string }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  useEffect(function followEdge() {
    const element = box.current;
    if (!element) return;
    const look = () => setMore(element.scrollLeft + element.clientWidth < element.scrollWidth - 4);
    const here = element.querySelector<HTMLElement>("[aria-current], [aria-selected='true']");
    if (here) element.scrollLeft = Math.max(0, here.offsetLeft + here.offsetWidth + 32 - element.clientWidth);
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  return (
    <div className="relative min-w-0">
      {/* one pixel lower than its content: there the marks of tabs lie over the line below, and nothing is left to scroll up or down */}
      <div ref={box} className={`scroll-quiet relative -mb-px overflow-x-auto overflow-y-hidden pb-px ${className ?? ""}`}>
        {children}
      </div>
      {hasMore && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-0 flex w-10 items-center justify-end bg-gradient-to-l from-page to-transparent"
        >
          <ChevronRight className="size-4 text-soft" />
        </span>
      )}
    </div>
  );
}
