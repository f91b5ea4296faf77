"use client";
import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { admin } from "../../strings/en-admin.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { NamespaceForm } from "./namespace-form.tsx";

const t = admin.settings;

/** The organisation's level of every settings namespace that has one. */
export function SettingsPage({ org }: { org: string }): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().settings.list.queryOptions({ org }));
  const shown = data?.flatMap((namespace) => {
    const section = namespace.sections.find(({ level }) => level === "org");
    return section ? [{ namespace, section }] : [];
  });
  return (
    <Page title={t.title} lead={t.lead}>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !shown ? (
        <SkeletonRows rows={3} className="h-32" />
      ) : shown.length === 0 ? (
        <EmptyState icon={SlidersHorizontal} title={t.empty} text={t.emptyText} />
      ) : (
        <div className="flex flex-col gap-6">
          {shown.map(({ namespace, section }) => (
            <NamespaceForm key={namespace.name} org={org} namespace={namespace} section={section} />
          ))}
        </div>
      )}
    </Page>
  );
}
