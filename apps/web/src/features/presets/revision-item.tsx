"use client";
import { type ReactNode, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { PresetDetail } from "../../trpc/outputs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { RevisionSessions } from "./revision-sessions.tsx";

const h = t.history;

type Props = {
  org: string;
  slug: string;
  entry: PresetDetail["revisions"][number];
  isCurrent: boolean;
  isPlatform: boolean;
  canRollBack: boolean;
  onShow: () => void;
  onRollBack: () => void;
};

/** One revision: who made it, why, when, and which sessions run on it. */
export function RevisionItem({ org, slug, entry, isCurrent, isPlatform, canRollBack, onShow, onRollBack }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { revision, sessions, reason } = entry;
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="tabular">{fill(t.revision, { n: revision })}</span>
            {isCurrent && <Badge tone="good">{h.current}</Badge>}
          </p>
          {reason && <p className="mt-0.5 break-words">{reason}</p>}
          <p className="text-soft text-tool">
            {entry.authorName ?? (isPlatform ? h.platform : t.someone)}, <Time at={entry.createdAt} />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" look="quiet" aria-expanded={isOpen} disabled={sessions === 0} onClick={() => setOpen(!isOpen)}>
            {sessions === 1 ? h.sessionOne : fill(h.sessions, { n: sessions })}
          </Button>
          <Button size="small" aria-label={fill(h.show, { n: revision })} onClick={onShow}>
            {t.views.yaml}
          </Button>
          {canRollBack && !isCurrent && (
            <Button size="small" aria-label={fill(h.rollBack, { n: revision })} onClick={onRollBack}>
              {h.rollBackAction}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <RevisionSessions org={org} slug={slug} revision={revision} />}
    </li>
  );
}
