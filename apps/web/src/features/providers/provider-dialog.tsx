"use client";
import type { ProviderKind } from "@gantry/contracts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { commonTexts } from "../../strings/en/common.ts";
import { modelTexts } from "../../strings/en/models.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { ProviderItem } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";

const t = modelTexts;
const demoModel = "scripted";
/** Where the API of a well-known provider begins. */
const addresses: Partial<Record<ProviderKind, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  deepseek: "https://api.deepseek.com",
};
/** What another kind changes: its fields begin anew, and a refusal spoke of the one before. */
const ofKind = ["kind", "baseUrl", "models", "key"];
const none: ReadonlySet<string> = new Set();
const inputs = ["slug", "name", "kind", "baseUrl", "models", "key"];

/** Adds or changes a provider. The server tries the settings with one call before it saves them. */
export default function ProviderDialog({
  org,
  provider,
  others,
  onClose,
}: {
  org: string;
  provider: ProviderItem | null;
  others: readonly ProviderItem[];
  onClose: () => void;
}): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [kind, setKind] = useState<ProviderKind>(provider?.kind ?? "openai_compatible");
  const [missing, setMissing] = useState<string | null>(null);
  const [isTaken, setTaken] = useState(false);
  const [changed, setChanged] = useState<ReadonlySet<string>>(none);
  const save = useMutation(
    trpc.provider.save.mutationOptions({
      onSuccess: async () => {
        onClose();
        await cache.invalidateQueries({ queryKey: trpc.provider.pathKey() });
      },
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  // an error goes when what it speaks of changes
  const noteChange = (field: string) => setChanged((old) => new Set([...old, ...(field === "kind" ? ofKind : [field])]));
  const errorOf = (field: string) => {
    if (changed.has(field)) return null;
    if (missing === field) return t.missing;
    if (field === "slug" && isTaken) return t.slugTaken;
    return problem?.field?.split(".")[0] === field ? (problem.fields[problem.field ?? ""] ?? problem.why) : null;
  };
  const isElsewhere = problem !== null && !changed.has("kind") && !inputs.includes(problem.field?.split(".")[0] ?? "");
  const isDemo = kind === "demo";

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (field: string) => String(form.get(field) ?? "").trim();
    const models = value("models")
      .split(/[\s,]+/)
      .filter(Boolean);
    const slug = provider?.slug ?? value("slug");
    const empty = [
      ["name", value("name")],
      ["slug", slug],
      ...(isDemo ? [] : [["baseUrl", value("baseUrl")]]),
      ["models", models[0] ?? ""],
    ].find(([, text]) => !text);
    setMissing(empty?.[0] ?? null);
    setChanged(none);
    // the server saves over a provider of the same short name: that is what editing is for
    const taken = !provider && others.some((other) => other.slug === slug);
    setTaken(taken);
    if (empty || taken) {
      save.reset(); // what the last try came to says nothing about this one
      (event.currentTarget.elements.namedItem(empty?.[0] ?? "slug") as HTMLElement | null)?.focus();
      return;
    }
    const key = value("key");
    const settings = { org, slug, name: value("name"), kind, baseUrl: isDemo ? "" : value("baseUrl"), models };
    save.mutate({ ...settings, ...(isDemo ? { key: null } : key !== "" && { key }) });
  };

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={provider ? provider.name : t.add}>
      <form
        onSubmit={submit}
        onChange={({ target }) => target instanceof Element && noteChange(target.getAttribute("name") ?? "")}
        className="flex flex-col gap-4"
        noValidate
      >
        <Field label={t.kind} hint={isDemo ? t.demoHint : null}>
          {(control) => (
            <Select {...control} name="kind" value={kind} onChange={(event) => setKind(event.target.value as ProviderKind)}>
              {(Object.keys(t.kinds) as ProviderKind[]).map((one) => (
                <option key={one} value={one}>
                  {t.kinds[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t.name} error={errorOf("name")}>
            {(control) => <Input {...control} name="name" defaultValue={provider?.name} maxLength={80} />}
          </Field>
          <Field label={t.slug} hint={t.slugHint} error={errorOf("slug")}>
            {(control) => (
              <Input
                {...control}
                name="slug"
                defaultValue={provider?.slug}
                disabled={provider !== null}
                maxLength={40}
                className="font-mono"
              />
            )}
          </Field>
        </div>
        {!isDemo && (
          <Field label={t.baseUrl} hint={t.baseUrlHint} error={errorOf("baseUrl")}>
            {(control) => (
              <Input
                {...control}
                key={kind}
                name="baseUrl"
                type="url"
                defaultValue={provider?.baseUrl ?? addresses[kind]}
                spellCheck={false}
              />
            )}
          </Field>
        )}
        <Field label={t.models} hint={t.modelsHint} error={errorOf("models")}>
          {(control) => (
            <Textarea
              {...control}
              key={kind}
              name="models"
              rows={3}
              defaultValue={provider?.models.join("\n") ?? (isDemo ? demoModel : "")}
              spellCheck={false}
              className="font-mono"
            />
          )}
        </Field>
        {!isDemo && (
          <Field label={t.key} hint={provider?.hasKey ? t.keyKeep : t.keyHint} error={errorOf("key")}>
            {(control) => <Input {...control} name="key" type="password" autoComplete="off" spellCheck={false} />}
          </Field>
        )}
        {isElsewhere && (
          <ErrorState what={commonTexts.errors.what} why={problem.why} {...(problem.todo && { todo: problem.todo })} id={problem.id} />
        )}
        <div className="flex items-center justify-end gap-2">
          {save.isPending && (
            <span role="status" className="mr-auto text-soft text-tool">
              {t.checking}
            </span>
          )}
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {t.check}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
