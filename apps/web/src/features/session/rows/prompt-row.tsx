"use client";
import { GitFork } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { agentTexts } from "../../../strings/en/agent.ts";
import { homeTexts } from "../../../strings/en/home.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { problemOf } from "../../../trpc/problem.ts";
import { AttachedList } from "../cards/attached.tsx";
import type { PromptRow } from "../model/rows.ts";
import { PromptCard } from "../prompt-card.tsx";
import { useSessionPlace } from "../session-context.ts";
import { useFork } from "../use-fork.ts";
import { IconButton } from "./icon-button.tsx";
import type { ToggleRow } from "./parts.tsx";

const longChars = 1_500;
const longLines = 16;

/** A prompt; a long one shows its beginning. */
export function PromptRowView({ row, open, onToggle }: { row: PromptRow; open: boolean; onToggle: ToggleRow }): ReactNode {
  const isLong = row.text.length > longChars || row.text.split("\n").length > longLines;
  return (
    <PromptCard author={row.author} at={row.time} action={row.forkSeq !== null && <ForkBefore forkSeq={row.forkSeq} text={row.text} />}>
      <p className={cx("-my-1 overflow-y-clip whitespace-pre-wrap break-words py-1 text-base", isLong && !open && "line-clamp-10")}>
        {row.text}
      </p>
      {row.attachments && <AttachedList attachments={row.attachments} />}
      {isLong && (
        <button type="button" onClick={() => onToggle(row.key)} className="mt-1 text-accent text-tool hover:underline">
          {open ? sessionTexts.less : homeTexts.more}
        </button>
      )}
    </PromptCard>
  );
}

/** Begins anew with this prompt: a session with everything before it, and its words in the composer. */
function ForkBefore({ forkSeq, text }: { forkSeq: number; text: string }): ReactNode {
  const { org, sessionId } = useSessionPlace();
  const { fork, start } = useFork(org, sessionId);
  return (
    <>
      <IconButton icon={GitFork} label={agentTexts.footer.forkBefore} busy={fork.isPending} onClick={() => start(forkSeq, text)} />
      {fork.error && (
        <span role="alert" className="text-bad">
          {problemOf(fork.error).why}
        </span>
      )}
    </>
  );
}
