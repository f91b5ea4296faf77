"use client";
import { type ReactNode, useEffect, useState } from "react";
import { exactTime, relativeTime } from "../lib/format.ts";

/** A relative time with the exact one on hover; keeps itself current. */
export function Time({ at }: { at: Date | number }): ReactNode {
  useTick(30_000);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)} className="tabular whitespace-nowrap" suppressHydrationWarning>
      {relativeTime(date)}
    </time>
  );
}

/** Draws the caller again every `ms` and gives the time. */
export function useTick(ms: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}
