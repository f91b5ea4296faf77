"use client";
import { Brain } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { Markdown } from "../markdown.tsx";
import type { NoticeRow, ReasoningRow, TextRow } from "../model/rows.ts";
import { FoldLine, type ToggleRow } from "./parts.tsx";

const CutOff = (): ReactNode => <p className="mt-2 border-l-2 border-warn pl-2 text-soft text-tool">{sessionTexts.cutOff}</p>;

/** The agent's text: no bubble. */
export const TextRowView = ({ row }: { row: TextRow }): ReactNode => (
  <div className="py-1">
    <Markdown text={row.text} />
    {row.cutOff && <CutOff />}
  </div>
);

/** The model's reasoning: one line, the text on demand. */
export function ReasoningRowView({ row, open, onToggle }: { row: ReasoningRow; open: boolean; onToggle: ToggleRow }): ReactNode {
  return (
    <div>
      <FoldLine
        open={open}
        onToggle={() => onToggle(row.key)}
        icon={<Brain aria-hidden className={cx("size-4 shrink-0", row.live && "breathe")} />}
        className="text-soft"
      >
        {row.live ? sessionTexts.reasoningLive : sessionTexts.reasoning}
        {!open && <span className="ml-2 italic">{firstLine(row.text)}</span>}
      </FoldLine>
      {open && (
        <div className="ml-2 whitespace-pre-wrap break-words border-l-2 py-1 pl-4 text-soft text-tool">
          {row.text}
          {row.cutOff && <CutOff />}
        </div>
      )}
    </div>
  );
}

/** A note that the product itself gave to the agent. */
export function NoticeRowView({ row, open, onToggle }: { row: NoticeRow; open: boolean; onToggle: ToggleRow }): ReactNode {
  return (
    <div>
      <FoldLine open={open} onToggle={() => onToggle(row.key)} className="text-soft">
        {sessionTexts.notice}: {row.summary ?? row.plugin}
      </FoldLine>
      {open && <pre className="ml-2 whitespace-pre-wrap break-words border-l-2 py-1 pl-4 font-sans text-soft text-tool">{row.text}</pre>}
    </div>
  );
}

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0]?.slice(0, 200) ?? "";
