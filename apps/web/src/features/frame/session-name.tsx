import { GitFork } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { navTexts } from "../../strings/en/nav.ts";
import { sessionTexts } from "../../strings/en/session.ts";

type Props = { session: { readonly title: string | null; readonly parentId: string | null }; className?: string };

/** A session's title in a list. A fork begins with its source's, so it is marked. */
export const SessionName = ({ session, className }: Props): ReactNode => (
  <span className={cx("flex min-w-0 flex-1 items-center gap-1.5", className)}>
    {session.parentId && (
      <>
        <GitFork aria-hidden className="size-3.5 text-soft" />
        <span className="sr-only">{navTexts.fork}</span>
      </>
    )}
    <span className="truncate">{session.title ?? sessionTexts.untitled}</span>
  </span>
);
