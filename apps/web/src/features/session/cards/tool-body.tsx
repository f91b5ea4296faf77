"use client";
import type { CallCard, ResultCard } from "@gantry/contracts";
import type { ReactNode } from "react";
import { sessionTexts } from "../../../strings/en/session.ts";
import { count, fill } from "../../../strings/fill.ts";
import type { ToolRow } from "../model/rows.ts";
import { AttachedImage } from "./attached.tsx";
import { DiffView } from "./diff-view.tsx";
import { Output } from "./output.tsx";

const t = sessionTexts;

/** What the call asked for, where the line above does not say it all. */
export function CallBody({ card, row, hasDiff }: { card: CallCard; row: ToolRow; hasDiff: boolean }): ReactNode {
  if (card.card === "terminal")
    return (
      <div className="text-tool">
        {card.description && <p className="mb-1 text-soft">{card.description}</p>}
        <pre className="whitespace-pre-wrap break-words font-mono">
          <span aria-hidden className="select-none text-soft">
            ${" "}
          </span>
          {card.title}
        </pre>
        {card.cwd && <p className="mt-1 font-mono text-soft text-xs">{card.cwd}</p>}
      </div>
    );
  if (card.card === "diff")
    return hasDiff && row.state === "done" ? null : card.diffs.map((diff) => <DiffView key={diff.path} diff={diff} />);
  if (card.content) return <Output text={card.content} label={t.arguments} />;
  if (row.result?.isError || card.kind === "other")
    return row.arguments.length > 2 ? <Output text={pretty(row.arguments)} label={t.arguments} /> : null;
  return null;
}

export function ResultBody({ card }: { card: ResultCard }): ReactNode {
  switch (card.card) {
    case "generic":
      return <Output text={card.text} />;
    case "terminal":
      return (
        <div className="flex flex-col items-start gap-1 [&>div]:w-full">
          <Output text={card.output} />
          {(card.signal ?? (card.exitCode !== undefined && card.exitCode !== 0)) && (
            <span className="rounded-md bg-bad-wash px-1.5 py-0.5 font-mono text-bad text-xs">
              {card.signal ?? fill(t.exit, { code: card.exitCode ?? "" })}
            </span>
          )}
        </div>
      );
    case "diff":
      return card.diffs.map((diff) => <DiffView key={`${diff.path}:${diff.startLine ?? 0}`} diff={diff} />);
    case "search":
      return (
        <div className="text-tool">
          <p className="mb-1 text-soft">{count(card.total, t.pathOne, t.paths)}</p>
          <Output text={card.paths.join("\n")} />
          {card.truncated && <p className="mt-1 text-soft">{t.truncated}</p>}
        </div>
      );
    case "matches":
      return (
        <div className="text-tool">
          <p className="mb-1 text-soft">
            {fill(t.matchesIn, { matches: count(card.total, t.matchOne, t.matches), files: count(card.files.length, t.fileOne, t.files) })}
          </p>
          <Output
            text={card.files
              .map((file) => [file.path, ...file.matches.map((m) => `${String(m.lineNumber).padStart(6)}  ${m.line}`)].join("\n"))
              .join("\n\n")}
          />
          {card.truncated && <p className="mt-1 text-soft">{t.truncated}</p>}
        </div>
      );
    case "image":
      return <AttachedImage attachmentId={card.attachmentId} name={card.path} />;
    case "read":
      return (
        <div className="text-tool">
          <p className="mb-1 text-soft">
            {fill(t.lines, { from: card.lines[0]?.number ?? 0, to: card.lines.at(-1)?.number ?? 0, total: card.totalLines })}
          </p>
          <Output text={card.lines.map((line) => `${String(line.number).padStart(5)}  ${line.text}`).join("\n")} />
        </div>
      );
  }
}

function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw; // not JSON: what the model wrote, as it wrote it
  }
}
