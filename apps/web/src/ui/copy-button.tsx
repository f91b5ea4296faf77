"use client";
import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { useCopied } from "../lib/use-copied.ts";
import { Button } from "./button.tsx";

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }): ReactNode {
  const [isDone, copy] = useCopied(text);
  return (
    <Button size="small" onClick={copy}>
      {isDone ? <Check aria-hidden className="size-4 text-good" /> : <Copy aria-hidden className="size-4" />}
      <span aria-live="polite">{isDone ? done : label}</span>
    </Button>
  );
}
