"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const pauseMs = 400;

/** The value once it has rested for a moment. */
export function useRested<T>(value: T, ms = pauseMs): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setRested, ms, value);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/** What the server says about a text, asked when the writer pauses. `isCurrent`: the answer is about this very text. */
export function useCheck<R>(key: readonly unknown[], source: string, check: (source: string, signal: AbortSignal) => Promise<R>) {
  const rested = useRested(source);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...key, rested],
    queryFn: ({ signal }) => check(rested, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return { data, error, isCurrent: rested === source && data !== undefined && !isPlaceholderData };
}
