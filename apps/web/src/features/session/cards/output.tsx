"use client";
import { type ReactNode, useMemo, useState } from "react";
import { ansiSpans } from "../../../lib/ansi.ts";
import { byteSize } from "../../../lib/format.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { fill } from "../../../strings/fill.ts";
import { headAndTail } from "./head-tail.ts";

const looks: Record<string, string> = {
  bold: "font-semibold",
  dim: "text-soft",
  italic: "italic",
  underline: "underline",
  "fg-red": "text-bad",
  "fg-green": "text-good",
  "fg-yellow": "text-warn",
  "fg-blue": "text-accent",
  "fg-magenta": "text-accent",
  "fg-cyan": "text-accent",
  "fg-black": "text-soft",
};

const lookOf = (style: string): string =>
  style
    .split(" ")
    .map((name) => looks[name] ?? "")
    .join(" ");

const Text = ({ text }: { text: string }): ReactNode =>
  ansiSpans(text).map((span, at) =>
    span.style === "" ? (
      span.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans of one fixed text
      <span key={at} className={lookOf(span.style)}>
        {span.text}
      </span>
    ),
  );

/** Text of a tool: head and tail when it is long, all of it on demand. */
export function Output({ text, label = sessionTexts.output }: { text: string; label?: string }): ReactNode {
  const [all, setAll] = useState(false);
  const cut = useMemo(() => headAndTail(text), [text]);
  if (text.trim() === "") return <p className="text-soft text-tool">{sessionTexts.noOutput}</p>;
  return (
    <div className="overflow-hidden rounded-box border bg-panel">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="scroll-quiet max-h-[420px] overflow-auto whitespace-pre-wrap break-words p-3 font-mono text-tool"
      >
        {all || !cut ? (
          <Text text={text} />
        ) : (
          <>
            <Text text={cut.head} />
            {"\n"}
            <span className="my-1 block select-none border-y border-dashed py-1 text-center font-sans text-soft text-xs">
              {fill(sessionTexts.hidden, { n: cut.hiddenLines })}
            </span>
            <Text text={cut.tail} />
          </>
        )}
      </section>
      {cut && (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="w-full border-t px-3 py-1.5 text-left text-accent text-xs hover:bg-hover"
        >
          {all ? sessionTexts.openLess : fill(sessionTexts.openAll, { size: byteSize(text.length) })}
        </button>
      )}
    </div>
  );
}
