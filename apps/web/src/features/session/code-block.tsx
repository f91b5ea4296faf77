"use client";
import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { useCopied } from "../../lib/use-copied.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { IconButton } from "./rows/icon-button.tsx";

/** Code of the agent, and a way to take it along. */
export function CodeBlock({ text, children }: { text: string; children: ReactNode }): ReactNode {
  const [isDone, copy] = useCopied(text);
  return (
    <div className="group/code relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
      <span className="absolute top-1.5 right-1.5 rounded-md bg-panel opacity-0 focus-within:opacity-100 group-hover/code:opacity-100 pointer-coarse:opacity-100">
        <IconButton icon={isDone ? Check : Copy} label={isDone ? commonTexts.copied : sessionTexts.copyCode} onClick={copy} />
      </span>
    </div>
  );
}
