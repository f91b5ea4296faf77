"use client";
import { type KeyboardEvent, useState } from "react";
import { matchingCommands } from "./model/commands.ts";

/** The commands that the text may become, and the keys that choose among them while the focus stays in the text. */
export function useCommandChoice(text: string, onComplete: (text: string) => void) {
  const [at, setAt] = useState(0);
  const names = matchingCommands(text);
  const active = Math.max(0, Math.min(at, names.length - 1));
  const complete = (name: string) => {
    setAt(0);
    onComplete(`/${name}`);
  };
  /** Whether the key was one of the list's. */
  const onKey = (event: KeyboardEvent): boolean => {
    const name = names[active];
    if (name === undefined || event.nativeEvent.isComposing) return false;
    if (event.key === "ArrowDown") setAt((active + 1) % names.length);
    else if (event.key === "ArrowUp") setAt((active + names.length - 1) % names.length);
    else if ((event.key === "Tab" || event.key === "Enter") && !event.shiftKey && text !== `/${name}`) complete(name);
    else return false;
    return true;
  };
  return { names, active, complete, onKey };
}
