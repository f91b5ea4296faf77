import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { Time } from "../../ui/time.tsx";

type Entry = { revision: number; reason: string | null; authorName: string | null; createdAt: Date };
type Props = { revisions: readonly Entry[]; seen: number | null; current: number | null };

/** What others saved since a revision was looked at: who, when and why. A roll back makes no revision, so it is told by its number. */
export function NewerRevisions({ revisions, seen, current }: Props): ReactNode {
  const newer = revisions.filter(({ revision }) => revision > (seen ?? 0)).toSorted((a, b) => a.revision - b.revision);
  const isBack = current !== null && current !== newer.at(-1)?.revision;
  return (
    <ul className="ml-4 list-disc">
      {newer.map(({ revision, reason, authorName, createdAt }) => (
        <li key={revision} className="break-words">
          {fill(t.revision, { n: revision })}, {authorName ?? t.someone}, <Time at={createdAt} />
          {reason && `: ${reason}`}
        </li>
      ))}
      {isBack && current !== seen && <li>{fill(t.nowInForce, { n: current })}</li>}
    </ul>
  );
}
