import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { workspaceTexts } from "../../strings/en/workspaces.ts";
import type { WorkspaceItem } from "../../trpc/outputs.ts";

const looks = {
  ready: { icon: CircleCheck, look: "text-good" },
  importing: { icon: LoaderCircle, look: "text-accent [&>svg]:animate-spin" },
  failed: { icon: CircleX, look: "text-bad" },
} as const;

export function StatePill({ state }: Pick<WorkspaceItem, "state">): ReactNode {
  const { icon: Icon, look } = looks[state];
  return (
    <span className={cx("inline-flex shrink-0 items-center gap-1 text-xs", look)}>
      <Icon aria-hidden className="size-3.5" /> {workspaceTexts.states[state]}
    </span>
  );
}
