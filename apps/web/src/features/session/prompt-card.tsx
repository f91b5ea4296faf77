import type { ReactNode } from "react";
import { en } from "../../strings/en.ts";
import { Time } from "../../ui/time.tsx";

type Props = { author: string | null; at: number | null; children: ReactNode };

/** What a person asked: a quiet card with author and time. */
export const PromptCard = ({ author, at, children }: Props): ReactNode => (
  <section aria-label={author ?? en.session.someone} className="mt-3 rounded-box border bg-card px-4 py-3">
    <div className="mb-1 flex items-baseline justify-between gap-3 text-soft text-xs">
      <span className="truncate font-medium">{author ?? en.session.someone}</span>
      {at !== null && <Time at={at} />}
    </div>
    {children}
  </section>
);
