"use client";
import { FoldVertical, LoaderCircle, Shield, SquareSlash } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { tokenCount } from "../../../lib/format.ts";
import { agentTexts } from "../../../strings/en/agent.ts";
import { permissionTexts } from "../../../strings/en/permissions.ts";
import { fill } from "../../../strings/fill.ts";
import { Markdown } from "../markdown.tsx";
import type { CommandRow, CompactionRow, PermissionRow } from "../model/rows.ts";
import { FoldLine, type ToggleRow } from "./parts.tsx";

const names: Readonly<Record<string, string>> = permissionTexts.names;

export const PermissionRowView = ({ row }: { row: PermissionRow }): ReactNode => (
  <p className="flex items-center gap-2 py-1 text-soft text-tool">
    <Shield aria-hidden className="size-4 shrink-0" />
    <span className="min-w-0 truncate">{fill(agentTexts.permission.changed, { name: names[row.preset] ?? row.preset })}</span>
  </p>
);

/** A human command: what was asked for, and what became of it. */
export function CommandRowView({ row }: { row: CommandRow }): ReactNode {
  const { running, unknown } = agentTexts.command;
  const said = row.text ?? fill(row.state === "running" ? running : unknown, { name: row.name });
  const Icon = row.state === "running" ? LoaderCircle : SquareSlash;
  return (
    <p className="flex items-start gap-2 py-1 text-soft text-tool">
      <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0", row.state === "running" && "animate-spin text-accent")} />
      <span className="min-w-0 break-words">
        <code className="font-mono text-ink">
          /{row.name}
          {row.args && ` ${row.args}`}
        </code>{" "}
        <span className={cx(row.state === "error" && "text-bad")}>{said}</span>
      </span>
    </p>
  );
}

/** Where a summary took the place of what came before, for the model. */
export function CompactionRowView({ row, open, onToggle }: { row: CompactionRow; open: boolean; onToggle: ToggleRow }): ReactNode {
  const t = agentTexts.compaction;
  const isRunning = row.state === "running";
  const Icon = isRunning ? LoaderCircle : FoldVertical;
  const icon = (
    <Icon aria-hidden className={cx("size-4 shrink-0", isRunning && "animate-spin text-accent", row.state === "failed" && "text-warn")} />
  );
  const tokens = row.state === "done" && row.tokens > 0 ? fill(t.tokens, { n: tokenCount(row.tokens) }) : null;
  const text = row.state === "failed" ? row.error : row.summary;
  if (!text)
    return (
      <p className="flex items-center gap-2 py-1 text-soft text-tool">
        {icon} {t[row.state]}
      </p>
    );
  return (
    <div>
      <FoldLine open={open} onToggle={() => onToggle(row.key)} icon={icon} className="text-soft">
        {t[row.state]}
        {tokens && <span className="tabular"> · {tokens}</span>}
      </FoldLine>
      {open && (
        <div className="mt-1 mb-2 ml-2 border-l-2 pl-4">
          {row.state === "done" && <p className="mb-2 text-soft text-tool">{t.why}</p>}
          <Markdown text={text} />
        </div>
      )}
    </div>
  );
}
