"use client";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { stringify } from "yaml";
import { cx } from "../../lib/cx.ts";
import { admin } from "../../strings/en/admin.ts";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { DumpedRow } from "../../trpc/outputs.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const t = admin.composition;
const tones: Record<NonNullable<DumpedRow["outcome"]>["state"], Tone> = { mounts: "good", disabled: "plain", planned: "warn" };

/** A row of the dump: what becomes of it and who wrote it; its text, condition and writers on demand. */
export function CompositionRow({ entry }: { entry: DumpedRow }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  const { row, origin, patchedBy, outcome, children } = entry;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-10 w-full flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-1.5 text-left hover:bg-hover focus-visible:outline-offset-[-2px] max-sm:min-h-11"
      >
        <ChevronRight aria-hidden className={cx("size-4 shrink-0 text-soft transition-transform duration-100", isOpen && "rotate-90")} />
        <span className={cx("break-all font-mono text-tool", outcome?.state === "disabled" && "text-soft")}>{row.id}</span>
        {row.name !== row.id && <span className="break-all text-soft text-xs">{row.name}</span>}
        {children && children.length > 0 && <Badge>{fill(t.group, { n: children.length })}</Badge>}
        <span className="ml-auto flex min-w-0 flex-wrap items-center gap-2">
          <span className="min-w-0 text-soft text-xs">
            {origin}
            {patchedBy.length > 0 && <span className="text-accent"> · {fill(t.patchedBy, { layers: patchedBy.join(", ") })}</span>}
          </span>
          {outcome && <Badge tone={tones[outcome.state]}>{presets.outcomes[outcome.state]}</Badge>}
        </span>
      </button>
      {isOpen && (
        <div id={bodyId} className="border-t bg-panel px-4 py-3 sm:pl-9">
          <Details entry={entry} />
          {children && children.length > 0 && (
            <ul className="mt-3 divide-y overflow-hidden rounded-box border bg-card">
              {children.map((child) => (
                <CompositionRow key={child.row.id} entry={child} />
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  );
}

function Details({ entry: { row, fields, outcome, clamps, children } }: { entry: DumpedRow }): ReactNode {
  const isCondition = typeof row.disabled === "object";
  const { id: _id, name: _name, disabled: _disabled, config, ...rest } = row;
  const shown = { ...rest, ...(config !== undefined && !children && { config }) };
  return (
    <div className="flex flex-col gap-2 text-tool">
      {outcome?.state === "planned" && <p className="text-soft">{presets.outcomeHints.planned}</p>}
      {isCondition && (
        <div>
          <p className="text-soft">
            {t.condition}: {outcome?.state === "disabled" ? t.conditionOff : t.conditionOn}
          </p>
          <Yaml value={row.disabled} />
        </div>
      )}
      {Object.keys(shown).length > 0 && <Yaml value={shown} />}
      {clamps?.map(({ field, from, to }) => (
        <p key={field} className="text-warn">
          {fill(presets.check.clamped, { path: field, from: String(from), to: String(to) })}
        </p>
      ))}
      {Object.keys(fields).length > 0 && (
        <p className="text-soft">
          {t.writers}:{" "}
          {Object.entries(fields)
            .map(([field, layer]) => `${field} (${layer})`)
            .join(", ")}
        </p>
      )}
    </div>
  );
}

const Yaml = ({ value }: { value: unknown }): ReactNode => (
  <pre className="scroll-quiet max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-md border bg-card p-3 font-mono text-xs">
    {stringify(value, { lineWidth: 0 }).trimEnd()}
  </pre>
);
