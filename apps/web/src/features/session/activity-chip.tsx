"use client";
import { CirclePause, Hand, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { duration } from "../../lib/format.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { fill } from "../../strings/fill.ts";
import { useTick } from "../../ui/time.tsx";
import type { ShownActivity } from "./model/activity.ts";

const t = sessionTexts.activity;

/** What the session does now, with the time it has taken so far. The text alone is announced, not the counting. */
export function ActivityChip({
  activity,
  isQueued,
  isParked,
}: {
  activity: ShownActivity;
  isQueued: boolean;
  isParked: boolean;
}): ReactNode {
  const isIdle = activity.kind === "idle" && !isQueued;
  return (
    <div className="mb-1 flex h-7 min-w-0 items-center gap-2 text-soft text-tool">
      {isParked ? (
        <CirclePause aria-hidden className="size-4 text-warn" />
      ) : isIdle ? (
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-line-strong" />
      ) : activity.kind === "waiting-person" ? (
        <Hand aria-hidden className="size-4 shrink-0 text-warn" />
      ) : (
        <LoaderCircle aria-hidden className={cx("size-4 shrink-0 animate-spin text-accent", activity.kind === "stopping" && "text-warn")} />
      )}
      <span role="status" aria-live="polite" className="min-w-0 truncate">
        {isParked ? t.parked : isQueued ? t.queued : <ActivityText activity={activity} />}
      </span>
      {!isIdle &&
        !isQueued &&
        (activity.kind === "retrying" ? <Left until={activity.untilTime} /> : activity.since > 0 && <Since since={activity.since} />)}
    </div>
  );
}

function ActivityText({ activity }: { activity: ShownActivity }): ReactNode {
  switch (activity.kind) {
    case "running-tool":
      return <ToolLabel label={activity.label} />;
    case "starting-sandbox":
      return fill(t["starting-sandbox"], { phase: activity.phase });
    case "retrying":
      return fill(t.retrying, { n: activity.retry, max: activity.maxRetries });
    default:
      return t[activity.kind];
  }
}

function ToolLabel({ label }: { label: string }): ReactNode {
  const [before, after] = t["running-tool"].split("{label}");
  return (
    <>
      {before}
      <code className="font-mono">{label}</code>
      {after}
    </>
  );
}

function Left({ until }: { until: number }): ReactNode {
  const ms = until - useTick(1_000);
  return ms < 500 ? null : (
    <span aria-hidden className="tabular shrink-0">
      {fill(t.retryIn, { time: duration(ms) })}
    </span>
  );
}

function Since({ since }: { since: number }): ReactNode {
  const ms = useTick(1_000) - since;
  return ms < 1_000 ? null : (
    <span aria-hidden className="tabular shrink-0">
      · {duration(ms)}
    </span>
  );
}
