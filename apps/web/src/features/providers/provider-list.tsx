"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bot, FlaskConical, KeyRound, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSearchParam } from "../../lib/use-search-param.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { modelTexts } from "../../strings/en/models.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { ProviderItem } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));
const ProviderDialog = lazy(() => import("./provider-dialog.tsx"));

const t = modelTexts;
type Opened = { kind: "edit"; provider: ProviderItem | null } | { kind: "remove"; provider: ProviderItem };

/** The organisation's model providers. */
export function ProviderList({ org, add }: { org: string; add: boolean }): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(add ? { kind: "edit", provider: null } : null);
  const { data, error, refetch } = useQuery(trpc.provider.list.queryOptions({ org }));
  const [, setAdd] = useSearchParam("add");
  const close = () => {
    setOpened(null);
    setAdd(null); // a reload, or a link to this page, does not open it again
  };
  const remove = useMutation(
    trpc.provider.remove.mutationOptions({
      onSuccess: async () => {
        close();
        await cache.invalidateQueries({ queryKey: trpc.provider.pathKey() });
      },
    }),
  );
  const addButton = (
    <Button look="primary" onClick={() => setOpened({ kind: "edit", provider: null })}>
      <Plus aria-hidden className="size-4" /> {t.add}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} action={data && data.length > 0 && addButton}>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} className="h-20" />
      ) : data.length === 0 ? (
        <EmptyState icon={Bot} title={t.empty} text={t.emptyText}>
          {addButton}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {data.map((provider) => (
            <Item
              key={provider.id}
              provider={provider}
              onEdit={() => setOpened({ kind: "edit", provider })}
              onRemove={() => setOpened({ kind: "remove", provider })}
            />
          ))}
        </ul>
      )}
      <Suspense>
        {opened?.kind === "edit" && <ProviderDialog org={org} provider={opened.provider} others={data ?? []} onClose={close} />}
        {opened?.kind === "remove" && (
          <ConfirmDialog
            onClose={close}
            title={fill(t.removeTitle, { name: opened.provider.name })}
            text={t.removeText}
            action={commonTexts.remove}
            isBusy={remove.isPending}
            error={remove.error ? problemOf(remove.error).why : null}
            onConfirm={() => remove.mutate({ org, slug: opened.provider.slug })}
          />
        )}
      </Suspense>
    </Page>
  );
}

function Item({ provider, onEdit, onRemove }: { provider: ProviderItem; onEdit: () => void; onRemove: () => void }): ReactNode {
  const isDemo = provider.kind === "demo";
  const Icon = isDemo ? FlaskConical : Bot;
  return (
    <li className="rounded-box border bg-card p-4">
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">
            {provider.name} <code className="ml-1 font-mono font-normal text-soft text-xs">{provider.slug}</code>
          </h2>
          <p className="break-all text-soft text-tool">
            {t.kinds[provider.kind]}
            {provider.baseUrl && ` · ${provider.baseUrl}`}
          </p>
          <ul className="mt-2 flex flex-wrap gap-1">
            {provider.models.map((model, at) => (
              <li key={model} className="rounded-md border px-1.5 py-0.5 font-mono text-xs">
                {model}
                {at === 0 && provider.models.length > 1 && <span className="ml-1 font-sans text-soft">{t.isDefault}</span>}
              </li>
            ))}
          </ul>
          {!isDemo && (
            <p className="mt-2 flex items-center gap-1 text-soft text-xs">
              <KeyRound aria-hidden className="size-3.5" /> {provider.hasKey ? t.hasKey : t.noKey}
            </p>
          )}
        </div>
        <Button look="quiet" size="icon" aria-label={`${t.edit}: ${provider.name}`} onClick={onEdit}>
          <Pencil aria-hidden className="size-4" />
        </Button>
        <Button look="quiet" size="icon" aria-label={`${commonTexts.remove}: ${provider.name}`} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </div>
    </li>
  );
}
