"use client";
import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** A part of the address as state: what can be looked at has a URL. Null takes it out. */
export function useSearchParam(name: string): [value: string | null, set: (value: string | null) => void] {
  const value = useSearchParams().get(name);
  const set = useCallback(
    (next: string | null) => {
      const params = new URLSearchParams(location.search);
      if (next === null) params.delete(name);
      else params.set(name, next);
      const query = params.toString();
      history.replaceState(null, "", query ? `?${query}` : location.pathname);
    },
    [name],
  );
  return [value, set];
}
