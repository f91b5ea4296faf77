import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

const looks: Record<"info" | "good" | "warn" | "bad", { icon: LucideIcon; wash: string; ink: string; role?: "alert" | "status" }> = {
  info: { icon: Info, wash: "bg-card", ink: "text-accent" },
  good: { icon: CircleCheck, wash: "bg-good-wash", ink: "text-good", role: "status" },
  warn: { icon: TriangleAlert, wash: "bg-warn-wash", ink: "text-warn" },
  bad: { icon: CircleAlert, wash: "bg-bad-wash", ink: "text-bad", role: "alert" },
};

type Props = { kind: keyof typeof looks; title: string; children?: ReactNode; action?: ReactNode };

/** A remark on the page: what is so, what it means, what can be done about it. */
export const Note = ({ kind, title, children, action }: Props): ReactNode => {
  const { icon: Icon, wash, ink, role } = looks[kind];
  return (
    <div role={role} className={cx("mb-4 flex flex-wrap items-start gap-x-4 gap-y-2 rounded-box border px-4 py-3 text-sm", wash)}>
      <div className="flex min-w-0 flex-1 basis-72 gap-3">
        <Icon aria-hidden className={cx("mt-px size-5 shrink-0", ink)} />
        <div className="min-w-0 break-words">
          <p className="font-medium">{title}</p>
          {children && <div className="mt-0.5">{children}</div>}
        </div>
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  );
};
