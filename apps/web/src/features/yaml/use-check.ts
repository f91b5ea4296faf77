"use client";
import { useQuery } from "@tanstack/react-query";
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

/**
 * What the server says about a text, asked when the writer pauses. `isCurrent`: the answer is about this very text. The last answer stays meanwhile, unless
 * `key` has changed: then it compares with something else.
 */
export function useCheck<R>(key: readonly unknown[], source: string, check: (source: string, signal: AbortSignal) => Promise<R>) {
  const rested = useRested(source);
  const base = JSON.stringify(key);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...key, rested],
    queryFn: async ({ signal }) => ({ base, answer: await check(rested, signal) }),
    placeholderData: (last) => (last?.base === base ? last : undefined),
    staleTime: 30_000,
  });
  return { data: data?.answer, error, isCurrent: rested === source && data !== undefined && !isPlaceholderData };
}
