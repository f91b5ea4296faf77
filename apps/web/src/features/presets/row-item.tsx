"use client";
import { ChevronRight, Trash2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { configFields } from "../yaml/config-fields.ts";
import type { FormRow } from "../yaml/rows.ts";
import { ConfigFieldInput } from "./config-field.tsx";
import type { RowListProps } from "./preset-form.tsx";

type Props = { row: FormRow } & Omit<RowListProps, "rows">;

/** One row: its plugin, whether it is on, and its settings on demand. */
export function RowItem({ row, plugins, readOnly, version, onToggle, onRemove, onSet, onEditYaml }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  const plugin = plugins.find(({ name }) => name === row.name);
  const shown = row.id || row.name;
  return (
    <>
      <div className="flex items-center gap-2 px-2 py-1.5 sm:px-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md text-left max-sm:min-h-11"
        >
          <ChevronRight aria-hidden className={cx("size-4 shrink-0 text-soft transition-transform duration-100", isOpen && "rotate-90")} />
          <span
            className={cx(
              "min-w-0 truncate font-mono text-tool max-sm:whitespace-normal max-sm:break-all",
              row.enabled === false && "text-soft",
            )}
          >
            {shown}
          </span>
          {row.isGroup ? (
            <Badge>{t.row.group}</Badge>
          ) : (
            row.name !== shown && <span className="truncate text-soft text-xs">{row.name}</span>
          )}
          {plugin?.isPlanned && <Badge tone="warn">{t.outcomes.planned}</Badge>}
          {!isOpen && plugin?.description && (
            <span className="min-w-0 flex-1 truncate text-soft text-tool max-md:hidden">{plugin.description}</span>
          )}
        </button>
        {row.enabled === null ? (
          <Badge tone="accent">{t.row.condition}</Badge>
        ) : (
          <Switch checked={row.enabled} disabled={readOnly} label={fill(t.row.isOn, { id: shown })} onChange={(on) => onToggle(row, on)} />
        )}
        {!readOnly && (
          <Button
            look="quiet"
            size="icon"
            aria-label={fill(t.row.remove, { id: shown })}
            onClick={() => onRemove(row)}
            className="max-sm:size-11"
          >
            <Trash2 aria-hidden className="size-4" />
          </Button>
        )}
      </div>
      {isOpen && (
        <div id={bodyId} className="border-t px-4 py-4 sm:pl-9">
          {plugin?.description && <p className="mb-4 max-w-2xl text-soft text-tool">{plugin.description}</p>}
          {plugin?.isPlanned && <p className="mb-4 max-w-2xl text-soft text-tool">{t.outcomeHints.planned}</p>}
          <Settings
            row={row}
            schema={plugin?.config}
            readOnly={readOnly}
            version={version}
            onSet={(field, value) => onSet(row, field, value)}
            onEditYaml={() => onEditYaml(row.line)}
          />
        </div>
      )}
    </>
  );
}

type SettingsProps = {
  row: FormRow;
  schema: unknown;
  readOnly: boolean;
  version: number;
  onSet: (field: string, value: unknown) => void;
  onEditYaml: () => void;
};

/** Fields of the plugin's schema; what is set without being in the schema is shown too, for the text to repair. */
function Settings({ row, schema, readOnly, version, onSet, onEditYaml }: SettingsProps): ReactNode {
  const known = configFields(schema);
  const others = Object.keys(row.config)
    .filter((name) => !known.some((field) => field.name === name))
    .map((name) => ({ name, description: null, default: undefined, kind: "yaml" as const }));
  const fields = row.isGroup ? [] : [...known, ...others];
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      {fields.length === 0 && <p className="text-soft text-tool">{t.noConfig}</p>}
      {fields.map((field) => (
        <ConfigFieldInput
          key={`${version}:${field.name}`}
          field={field}
          value={row.config[field.name]}
          readOnly={readOnly}
          onChange={(value) => onSet(field.name, value)}
          onEditYaml={onEditYaml}
        />
      ))}
      <Button size="small" look="quiet" className="-ml-2 self-start" onClick={onEditYaml}>
        {t.editYaml}
      </Button>
    </div>
  );
}
