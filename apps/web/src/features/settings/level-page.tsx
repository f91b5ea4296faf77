"use client";
import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, SkeletonRows } from "../../ui/states.tsx";
import { NamespaceForm } from "./namespace-form.tsx";

type Props = { org: string; level: "org" | "user"; title: string; lead: string; emptyText: string };

/** One level of every settings namespace that has it. */
export function LevelPage({ org, level, title, lead, emptyText }: Props): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().settings.list.queryOptions({ org }));
  const shown = data?.flatMap((namespace) => {
    const section = namespace.sections.find((one) => one.level === level);
    return section ? [{ namespace, section }] : [];
  });
  return (
    <Page title={title} lead={lead}>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !shown ? (
        <SkeletonRows rows={3} className="h-32" />
      ) : shown.length === 0 ? (
        <EmptyState icon={SlidersHorizontal} title={admin.settings.empty} text={emptyText} />
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
