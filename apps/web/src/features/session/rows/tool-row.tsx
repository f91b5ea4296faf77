"use client";
import type { CallCard } from "@gantry/contracts";
import {
  Ban,
  Check,
  CircleAlert,
  CircleDashed,
  CircleSlash2,
  FilePen,
  FileText,
  Globe,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";
import { duration } from "../../../lib/format.ts";
import { agentTexts } from "../../../strings/en/agent.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { fill } from "../../../strings/fill.ts";
import { CallBody, ResultBody } from "../cards/tool-body.tsx";
import { badEndOf, callCardOf, resultCardOf } from "../model/present.ts";
import type { Ask, ToolRow, ToolState } from "../model/rows.ts";
import { nameOf, useSessionPlace } from "../session-context.ts";
import { Elapsed, FoldLine, type ToggleRow } from "./parts.tsx";

const kindIcons: Record<string, LucideIcon> = {
  read: FileText,
  edit: FilePen,
  delete: Trash2,
  move: FilePen,
  search: Search,
  execute: SquareTerminal,
  fetch: Globe,
  other: Wrench,
};

function iconOf(card: CallCard): LucideIcon {
  if (card.card === "terminal") return SquareTerminal;
  if (card.card === "diff") return FilePen;
  return kindIcons[card.kind] ?? Wrench;
}

const stateLooks: Record<ToolState, { icon: LucideIcon; look: string; says: boolean }> = {
  writing: { icon: CircleDashed, look: "text-soft breathe", says: false },
  queued: { icon: CircleDashed, look: "text-soft", says: true },
  waiting: { icon: Hand, look: "text-warn", says: true },
  running: { icon: LoaderCircle, look: "text-accent animate-spin", says: false },
  done: { icon: Check, look: "text-good", says: false },
  failed: { icon: X, look: "text-bad", says: true },
  denied: { icon: Ban, look: "text-bad", says: true },
  "cut-off": { icon: CircleSlash2, look: "text-warn", says: true },
};

/** One line: icon, verb, target, state, duration. It opens in place. */
export function ToolRowView({ row, open, onToggle }: { row: ToolRow; open: boolean; onToggle: ToggleRow }): ReactNode {
  const card = callCardOf(row);
  const Icon = iconOf(card);
  const result = open ? resultCardOf(row) : null;
  return (
    <div>
      <FoldLine
        open={open}
        onToggle={() => onToggle(row.key)}
        icon={<Icon aria-hidden className="size-4 shrink-0 text-soft" />}
        end={<StateMark row={row} />}
      >
        <Title card={card} />
      </FoldLine>
      {open && (
        <div className="mt-1 mb-2 ml-2 flex flex-col gap-2 border-l-2 pl-4">
          <CallBody card={card} row={row} hasDiff={result?.card === "diff"} />
          {row.pruned && <p className="text-soft text-tool">{agentTexts.permission.pruned}</p>}
          {result && !(card.card === "diff" && result.card === "generic" && row.state === "done") && <ResultBody card={result} />}
        </div>
      )}
    </div>
  );
}

function Title({ card }: { card: CallCard }): ReactNode {
  if (card.card === "terminal") return <code className="font-mono">{card.title}</code>;
  if (card.card === "generic" && card.kind === "other") return card.title;
  const [verb, ...rest] = card.title.split(" ");
  return (
    <>
      {verb} {rest.length > 0 && <code className="font-mono">{rest.join(" ")}</code>}
    </>
  );
}

function StateMark({ row }: { row: ToolRow }): ReactNode {
  const badEnd = badEndOf(row);
  const { icon: Icon, look, says } = badEnd ? { icon: CircleAlert, look: "text-warn", says: false } : stateLooks[row.state];
  const ms = row.startedAt !== null && row.endedAt !== null ? row.endedAt - row.startedAt : null;
  return (
    <span className="flex shrink-0 items-center gap-2 text-soft text-xs">
      <Decided ask={row.ask} />
      {row.state === "running" && row.startedAt !== null && <Elapsed since={row.startedAt} />}
      {ms !== null && ms >= 1_000 && <span className="tabular">{duration(ms)}</span>}
      {badEnd && (
        <span className="text-warn">{"signal" in badEnd ? badEnd.signal : fill(sessionTexts.exit, { code: badEnd.exitCode })}</span>
      )}
      <span className={says ? look : "sr-only"}>{sessionTexts.states[row.state]}</span>
      <Icon aria-hidden className={cx("size-4", look)} />
    </span>
  );
}

/** Who let the call run, or did not. */
function Decided({ ask }: { ask: Ask | null }): ReactNode {
  const { people } = useSessionPlace();
  const texts: Readonly<Record<string, string>> = agentTexts.by;
  const text = ask?.outcome && texts[ask.outcome];
  return text && ask.by !== null ? (
    <span className="max-w-48 truncate max-sm:max-w-24">{fill(text, { name: nameOf(people, ask.by) })}</span>
  ) : null;
}
