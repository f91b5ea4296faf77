"use client";
import { type ReactNode, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { Badge } from "../../ui/badge.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import type { FormRow } from "../yaml/rows.ts";
import type { PluginHint } from "../yaml/use-hints.ts";

type Props = { plugins: readonly PluginHint[]; rows: readonly FormRow[]; onAdd: (name: string) => void; onClose: () => void };

/** The catalogue's plugins for presets; one click adds a row. */
export default function AddRowDialog({ plugins, rows, onAdd, onClose }: Props): ReactNode {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = plugins.filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
  const present = new Set(namesOf(rows));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t.addRowTitle}>
      <Field label={t.search}>
        {(control) => <Input {...control} type="search" value={search} onChange={(event) => setSearch(event.target.value)} />}
      </Field>
      <ul className="scroll-quiet mt-3 max-h-[50vh] overflow-y-auto rounded-box border">
        {found.length === 0 && <li className="px-3 py-2 text-soft text-tool">{t.nothingFound}</li>}
        {found.map(({ name, description, isPlanned }) => (
          <li key={name} className="border-b last:border-b-0">
            <button
              type="button"
              onClick={() => onAdd(name)}
              className="w-full px-3 py-2 text-left hover:bg-hover focus-visible:outline-offset-[-2px]"
            >
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-mono text-tool">{name}</span>
                {isPlanned && <Badge tone="warn">{t.outcomes.planned}</Badge>}
                {present.has(name) && <Badge>{t.alreadyIn}</Badge>}
              </span>
              <span className="block text-soft text-xs">{description}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const namesOf = (rows: readonly FormRow[]): string[] => rows.flatMap((row) => [row.name, ...namesOf(row.children)]);
