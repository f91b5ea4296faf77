"use client";
import { Layers, Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Textarea } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { addRow, type FormRow, freeId, removeRow, rowsOf, setConfig, setEnabled } from "../yaml/rows.ts";
import type { PluginHint } from "../yaml/use-hints.ts";
import { RowItem } from "./row-item.tsx";
import type { PresetTextState } from "./use-preset-text.ts";

const AddRowDialog = lazy(() => import("./add-row-dialog.tsx"));

type Props = { state: PresetTextState; plugins: readonly PluginHint[]; readOnly: boolean; onEditYaml: (line: number) => void };

/** The preset as fields and rows. Each change is a change of the text, which keeps everything the form does not show. */
export function PresetForm({ state, plugins, readOnly, onEditYaml }: Props): ReactNode {
  const { text, change, version } = state;
  const [isAdding, setAdding] = useState(false);
  const read = useMemo(() => rowsOf(text.source), [text.source]);
  const rows = "rows" in read ? read.rows : [];
  const setSource = (source: string) => change({ source });
  return (
    <div className="flex flex-col gap-8">
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <Field label={t.name}>
          {(control) => (
            <Input
              {...control}
              value={text.name}
              maxLength={80}
              readOnly={readOnly}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t.order}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={0}
              max={1_000_000}
              value={text.order}
              title={t.orderHint}
              readOnly={readOnly}
              onChange={(event) => change({ order: Math.max(0, Math.trunc(Number(event.target.value))) || 0 })}
            />
          )}
        </Field>
        <div className="sm:col-span-2">
          <Field label={t.description} hint={t.descriptionHint}>
            {(control) => (
              <Textarea
                {...control}
                value={text.description}
                maxLength={500}
                rows={2}
                readOnly={readOnly}
                onChange={(event) => change({ description: event.target.value })}
              />
            )}
          </Field>
        </div>
      </div>
      <section aria-labelledby="preset-rows">
        <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
          <div>
            <h2 id="preset-rows" className="font-medium text-base">
              {t.rows} <span className="tabular font-normal text-soft">{rows.length}</span>
            </h2>
            <p className="text-soft text-tool">{t.rowsLead}</p>
          </div>
          {!readOnly && "rows" in read && (
            <Button onClick={() => setAdding(true)}>
              <Plus aria-hidden className="size-4" /> {t.addRow}
            </Button>
          )}
        </div>
        {"problem" in read ? (
          <Note
            kind="warn"
            title={t.formBroken}
            action={
              <Button size="small" onClick={() => onEditYaml(read.line)}>
                {fill(t.toLine, { line: read.line })}
              </Button>
            }
          >
            {read.problem}
          </Note>
        ) : rows.length === 0 ? (
          <EmptyState icon={Layers} title={t.noRows} text={t.noRowsText} />
        ) : (
          <RowList
            rows={rows}
            plugins={plugins}
            readOnly={readOnly}
            version={version}
            onToggle={(row, on) => setSource(setEnabled(text.source, row.path, on))}
            onRemove={(row) => setSource(removeRow(text.source, row.path))}
            onSet={(row, field, value) => setSource(setConfig(text.source, row.path, field, value))}
            onEditYaml={onEditYaml}
          />
        )}
      </section>
      <Suspense>
        {isAdding && (
          <AddRowDialog
            plugins={plugins}
            rows={rows}
            onClose={() => setAdding(false)}
            onAdd={(name) => {
              setSource(addRow(text.source, { id: freeId(rows, name), name }));
              setAdding(false);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

export type RowListProps = {
  rows: readonly FormRow[];
  plugins: readonly PluginHint[];
  readOnly: boolean;
  version: number;
  onToggle: (row: FormRow, on: boolean) => void;
  onRemove: (row: FormRow) => void;
  onSet: (row: FormRow, field: string, value: unknown) => void;
  onEditYaml: (line: number) => void;
};

/** Rows in mounting order; the rows of a group stand inside it. */
function RowList(props: RowListProps): ReactNode {
  return (
    <ul className="divide-y overflow-hidden rounded-box border bg-card">
      {props.rows.map((row) => (
        <li key={`${row.path.join(".")}:${row.id}`}>
          <RowItem row={row} {...props} />
          {row.children.length > 0 && (
            <div className="border-t bg-panel p-3 pl-6 max-sm:pl-3">
              <RowList {...props} rows={row.children} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
