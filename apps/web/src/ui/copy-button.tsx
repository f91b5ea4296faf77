"use client";
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";

const shownMs = 2_000;

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }): ReactNode {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(setDone, shownMs, false);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <Button size="small" onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}>
      {isDone ? <Check aria-hidden className="size-4 text-good" /> : <Copy aria-hidden className="size-4" />}
      <span aria-live="polite">{isDone ? done : label}</span>
    </Button>
  );
}
