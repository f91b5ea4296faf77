"use client";
import type { ReactNode } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { type ConfigField, fits } from "../yaml/config-fields.ts";

type Props = {
  field: ConfigField;
  /** the field's own name unless given */
  label?: string;
  value: unknown;
  /** what people read in place of a choice's values */
  words?: Readonly<Record<string, string>>;
  readOnly: boolean;
  /** undefined takes the field out */
  onChange: (value: unknown) => void;
  onEditYaml?: () => void;
};

/** One field of a configuration, in the control that suits its schema. A value that no control can show is left to the text. */
export function ConfigFieldInput({ field, label = field.name, value, words = {}, readOnly, onChange, onEditYaml }: Props): ReactNode {
  const isShown = fits(field, value) && field.kind !== "yaml";
  const hint = [field.description, field.kind === "list" && isShown && t.onePerLine, defaultHint(field, value)].filter(Boolean).join(" ");
  if (!isShown)
    return (
      <div className="text-sm">
        <p className="font-medium">{label}</p>
        <p className="mt-1 text-soft text-tool">
          {value === undefined ? t.notSet : t.inYaml}
          {field.description && ` · ${field.description}`}
        </p>
        {value !== undefined && (
          <pre className="scroll-quiet mt-1 overflow-x-auto rounded-md bg-panel p-2 font-mono text-xs">
            {JSON.stringify(value, null, 2)}
          </pre>
        )}
        {!readOnly && onEditYaml && (
          <Button size="small" className="mt-2" onClick={onEditYaml}>
            {t.editYaml}
          </Button>
        )}
      </div>
    );
  return (
    <Field label={label} hint={hint || null}>
      {(control) => <Control field={field} value={value} words={words} control={control} readOnly={readOnly} onChange={onChange} />}
    </Field>
  );
}

const defaultHint = (field: ConfigField, value: unknown): string | null =>
  value === undefined && field.default !== undefined ? `(${fill(t.byDefault, { value: JSON.stringify(field.default) })})` : null;

type ControlProps = Pick<Props, "field" | "value" | "readOnly" | "onChange"> & Required<Pick<Props, "words">> & { control: { id: string } };

function Control({ field, value, words, control, readOnly, onChange }: ControlProps): ReactNode {
  const unset = <option value="">{t.notSet}</option>;
  switch (field.kind) {
    case "boolean":
      return (
        <Select
          {...control}
          disabled={readOnly}
          value={value === undefined ? "" : String(value)}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value === "true")}
          className="max-w-60"
        >
          {unset}
          <option value="true">{t.yes}</option>
          <option value="false">{t.no}</option>
        </Select>
      );
    case "choice":
      return (
        <Select
          {...control}
          disabled={readOnly}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
          className="max-w-60"
        >
          {unset}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {words[option] ?? option}
            </option>
          ))}
        </Select>
      );
    case "number":
      return (
        <Input
          {...control}
          readOnly={readOnly}
          type="number"
          step={field.isInteger ? 1 : "any"}
          {...(field.min !== null && { min: field.min })}
          {...(field.max !== null && { max: field.max })}
          defaultValue={value === undefined ? "" : String(value)}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.valueAsNumber)}
          className="tabular max-w-60"
        />
      );
    case "list":
      return (
        <Textarea
          {...control}
          readOnly={readOnly}
          rows={3}
          defaultValue={Array.isArray(value) ? value.join("\n") : ""}
          spellCheck={false}
          onChange={(event) => onChange(linesOf(event.target.value))}
          className="font-mono text-tool"
        />
      );
    default:
      return (
        <Textarea
          {...control}
          readOnly={readOnly}
          rows={1}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
          className="field-sizing-content max-h-96 min-h-9"
        />
      );
  }
}

function linesOf(text: string): string[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 ? lines : undefined;
}
