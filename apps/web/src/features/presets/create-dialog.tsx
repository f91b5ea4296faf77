"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { commonTexts } from "../../strings/en/common.ts";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { PresetItem } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";

const slugPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);

type Props = { org: string; copyOf: PresetItem | null; others: readonly PresetItem[]; onClose: () => void };

/** Creates a preset, empty or as a copy, and goes there. */
export default function CreateDialog({ org, copyOf, others, onClose }: Props): ReactNode {
  const trpc = useTRPC();
  const router = useRouter();
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const [slug, setSlug] = useState<string | null>(null);
  const [source, setSource] = useState(copyOf?.slug ?? "");
  const [isTried, setTried] = useState(false);
  const create = useMutation(
    trpc.preset.create.mutationOptions({
      onSuccess: async (made) => {
        router.push(`/${org}/admin/presets/${made.slug}`);
        await cache.invalidateQueries({ queryKey: trpc.preset.pathKey() });
      },
    }),
  );
  const chosenSlug = slug ?? slugOf(name);
  const problem = create.error ? problemOf(create.error) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === "" || !slugPattern.test(chosenSlug)) return;
    create.mutate({ org, slug: chosenSlug, name: name.trim(), ...(source !== "" && { copyOf: source }) });
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={copyOf ? fill(t.copyTitle, { name: copyOf.name }) : t.addTitle}>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <Field label={t.name} error={isTried && name.trim() === "" ? t.missing : null}>
          {(control) => <Input {...control} value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label={t.slug} hint={t.slugHint} error={isTried && !slugPattern.test(chosenSlug) ? t.slugWrong : problem?.why}>
          {(control) => (
            <Input
              {...control}
              value={chosenSlug}
              maxLength={64}
              spellCheck={false}
              className="font-mono"
              onChange={(event) => setSlug(event.target.value)}
            />
          )}
        </Field>
        <Field label={t.startWith}>
          {(control) => (
            <Select {...control} value={source} onChange={(event) => setSource(event.target.value)}>
              <option value="">{t.startEmpty}</option>
              {others.map((other) => (
                <option key={other.slug} value={other.slug}>
                  {fill(t.copyOf, { name: other.name })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button look="primary" type="submit" busy={create.isPending || create.isSuccess}>
            {t.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
