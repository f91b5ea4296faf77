"use client";
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";

/** Longer texts are not stored at each key: it would hold up the typing. */
const maxChars = 100_000;

/** A text under work. It stays in this browser tab under `key`, so that another page or a reload does not lose it; `begin` goes before what was kept. */
export function useKeptText(key: string, begin = ""): [text: string, setText: Dispatch<SetStateAction<string>>] {
  const [text, setText] = useState(begin);
  const isRead = useRef(false);
  useEffect(
    function keep() {
      if (isRead.current) leaveText(key, text);
    },
    [key, text],
  );
  useEffect(
    function readAfterTheServersPage() {
      isRead.current = true;
      const kept = readText(key);
      setText((now) => now || kept);
    },
    [key],
  );
  return [text, setText];
}

/** Leaves a text where `useKeptText` will find it; an empty one takes it away. */
export function leaveText(key: string, text: string): void {
  try {
    if (text === "" || text.length > maxChars) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // storage may be full or switched off: the text is still on the screen
  }
}

function readText(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return ""; // nothing was left where nothing can be stored
  }
}
