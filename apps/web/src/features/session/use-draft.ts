"use client";
import { useEffect, useState } from "react";

const keyOf = (sessionId: string): string => `gantry-draft-${sessionId}`;

/** Leaves a text for the composer of a session that is about to open. */
export function leaveDraft(sessionId: string, text: string): void {
  try {
    sessionStorage.setItem(keyOf(sessionId), text);
  } catch {
    // storage may be full or switched off: the prompt is still in the session it came from
  }
}

/** That text; a reload does not find it again. */
export function useDraft(sessionId: string): string {
  const [text] = useState(() => read(sessionId));
  useEffect(() => {
    if (text) sessionStorage.removeItem(keyOf(sessionId));
  }, [text, sessionId]);
  return text;
}

function read(sessionId: string): string {
  try {
    return typeof window === "undefined" ? "" : (sessionStorage.getItem(keyOf(sessionId)) ?? "");
  } catch {
    return ""; // nothing was left where nothing can be stored
  }
}
