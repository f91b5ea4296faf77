import { CircleAlert, CircleDot, Hand } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import type { SessionGroup } from "./group-sessions.ts";

type Props = { group: SessionGroup; status: string; className: string };

/** What a session in a list waits for: a person's answer, a person's repair, or nobody because it works. The group's name says the same in words. */
export function SessionMark({ group, status, className }: Props): ReactNode {
  if (group === "working") return <CircleDot aria-hidden className={cx("breathe text-accent", className)} />;
  if (group !== "needs") return null;
  const [Icon, look] = status === "waiting" ? [Hand, "text-warn"] : [CircleAlert, "text-bad"];
  return <Icon aria-hidden className={cx(look, className)} />;
}
