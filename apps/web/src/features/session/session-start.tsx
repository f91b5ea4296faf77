import { MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { sessionTexts } from "../../strings/en/session.ts";
import { EmptyState } from "../../ui/states.tsx";
import { PromptCard } from "./prompt-card.tsx";

type Waiting = { readonly key: string; readonly author: string | null; readonly text: string };

type Start = {
  readonly waiting: readonly Waiting[];
  readonly isReadOnly: boolean;
  /** why no worker can begin with them */
  readonly problem: string | null;
};

/** A session without a turn: its first prompts on top while they wait for a worker, or an invitation to write one. */
export const SessionStart = ({ waiting, isReadOnly, problem }: Start): ReactNode => (
  <div className="scroll-quiet mx-auto w-full max-w-[792px] flex-1 overflow-y-auto px-4 pt-6">
    {waiting.length === 0 ? (
      !isReadOnly && <EmptyState icon={MessageSquare} title={sessionTexts.empty} text={sessionTexts.emptyText} />
    ) : (
      <>
        {waiting.map(({ key, author, text }) => (
          <PromptCard key={key} author={author} at={null}>
            <p className="line-clamp-10 whitespace-pre-wrap break-words text-base">{text}</p>
          </PromptCard>
        ))}
        {!isReadOnly && (
          <p role="status" className={problem === null ? "appear-late py-4 text-soft text-tool" : "break-words py-4 text-bad text-tool"}>
            {problem ?? sessionTexts.starting}
          </p>
        )}
      </>
    )}
  </div>
);
