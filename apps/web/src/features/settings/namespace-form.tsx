"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { admin } from "../../strings/en/admin.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { ConfigFieldInput } from "../presets/config-field.tsx";
import { type ConfigField, configFields } from "../yaml/config-fields.ts";
import { useChoices, type Words } from "./use-choices.ts";

const t = admin.settings;
type Namespace = Outputs["settings"]["list"][number];
type Section = Namespace["sections"][number];
type Values = Section["values"];

/** One namespace at one level: its fields by schema, what is in force, who else may set it. */
export function NamespaceForm({ org, namespace, section }: { org: string; namespace: Namespace; section: Section }): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [edited, setEdited] = useState<Values | null>(null);
  const values = edited ?? section.values;
  const { fields, words, gone } = useChoices(org, namespace.name, configFields(namespace.schema), section.values);
  const save = useMutation(
    trpc.settings.update.mutationOptions({
      onSettled: () => Promise.all([trpc.settings, trpc.preset].map((area) => cache.invalidateQueries({ queryKey: area.pathKey() }))),
      onSuccess: () => setEdited(null),
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  const id = `settings-${namespace.name}`;
  const isOwnToo = section.level === "org" && namespace.sections.some(({ level }) => level === "user");
  /** Null takes a value out; secrets, which are not shown, stay as they are. */
  const store = (next: Values) => {
    const gone = Object.keys(section.values).filter((name) => !Object.hasOwn(next, name));
    const changes = { ...Object.fromEntries(gone.map((name) => [name, null])), ...next };
    save.mutate({ org, namespace: namespace.name, level: section.level, values: changes, expectedRevision: section.revision });
  };
  return (
    <section aria-labelledby={id} className="rounded-box border bg-card px-4 py-4">
      <h2 id={id} className="font-medium text-base">
        {namespace.title}
      </h2>
      <p className="mt-0.5 text-soft text-tool">
        {namespace.description} {t.applies[namespace.applies]} {isOwnToo && t.ownToo}
      </p>
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          store(values);
        }}
      >
        {fields.map((field) => (
          <ConfigFieldInput
            key={`${field.name}:${section.revision}`}
            field={{ ...field, description: hintOf(field, namespace, words[field.name]), default: undefined }}
            words={words[field.name] ?? {}}
            label={labelOf(namespace.name, field.name)}
            value={values[field.name]}
            readOnly={!section.mayWrite}
            onChange={(value) => setEdited(withField(values, field.name, value as Values[string] | undefined))}
          />
        ))}
        {[
          ...section.problems,
          ...gone.map((value) => fill(t.gone, { value })),
          ...(problem ? [problem.code === "REVISION_STALE" ? t.stale : problem.why] : []),
        ].map((text) => (
          <p key={text} role="alert" className="break-words text-bad text-tool">
            {text}
          </p>
        ))}
        {section.mayWrite && (
          <div className="flex items-center justify-end gap-2">
            {save.isSuccess && !edited && (
              <span role="status" className="mr-auto text-good text-tool">
                {t.saved}
              </span>
            )}
            {Object.keys(section.values).length > 0 && (
              <Button look="quiet" onClick={() => store({})}>
                {t.reset}
              </Button>
            )}
            <Button look="primary" type="submit" disabled={edited === null} busy={save.isPending}>
              {t.save}
            </Button>
          </div>
        )}
      </form>
    </section>
  );
}

const labelOf = (namespace: string, field: string): string => (t.fields as Record<string, string>)[`${namespace}.${field}`] ?? field;

/** What a field says about itself, and the value that holds now. */
function hintOf(field: ConfigField, { name, effective }: Namespace, words: Words = {}): string {
  const value = effective[field.name];
  const otherwise = (t.otherwise as Record<string, string>)[`${name}.${field.name}`] ?? fill(t.inForce, { value: t.notSet });
  return [field.description, value === undefined ? otherwise : fill(t.inForce, { value: shown(value, words) })].filter(Boolean).join(" ");
}

const shown = (value: unknown, words: Words): string =>
  typeof value === "number" ? value.toLocaleString("en") : (words[String(value)] ?? String(value));

function withField(values: Values, name: string, value: Values[string] | undefined): Values {
  const { [name]: _old, ...rest } = values;
  return value === undefined ? rest : { ...rest, [name]: value };
}
