"use client";
import { useEffect, useState } from "react";

const shownMs = 2_000;

/** Puts a text on the clipboard, and says for a while that it is there. */
export function useCopied(text: string): [isDone: boolean, copy: () => void] {
  const [isDone, setDone] = useState(false);
  useEffect(
    function forget() {
      if (!isDone) return;
      const timer = setTimeout(setDone, shownMs, false);
      return () => clearTimeout(timer);
    },
    [isDone],
  );
  return [isDone, () => void navigator.clipboard.writeText(text).then(() => setDone(true))];
}
