import type { ReactNode } from "react";
import { sessionTexts } from "../../strings/en/session.ts";
import { Time } from "../../ui/time.tsx";

type Props = { author: string | null; at: number | null; action?: ReactNode; children: ReactNode };

/** What a person asked: a quiet card with author and time. */
export const PromptCard = ({ author, at, action, children }: Props): ReactNode => (
  <article aria-label={author ?? sessionTexts.someone} className="mt-3 rounded-box border bg-card px-4 py-3">
    <div className="mb-1 flex items-center gap-2 text-soft text-xs">
      <span className="min-w-0 flex-1 truncate font-medium">{author ?? sessionTexts.someone}</span>
      {at !== null && <Time at={at} />}
      {action && <span className="-my-2 -mr-2 flex items-center">{action}</span>}
    </div>
    {children}
  </article>
);
