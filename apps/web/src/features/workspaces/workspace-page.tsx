"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { commonTexts } from "../../strings/en/common.ts";
import { homeTexts } from "../../strings/en/home.ts";
import { workspaceTexts } from "../../strings/en/workspaces.ts";
import { useTRPC } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { NewSession } from "../home/new-session.tsx";
import { SessionTable } from "../home/session-table.tsx";
import { sourceText } from "./source-text.ts";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));

const t = workspaceTexts;
const importPollMs = 1_500;

/** One workspace: its state, a new session in it, its sessions. */
export function WorkspacePage({ org, workspaceId }: { org: string; workspaceId: string }): ReactNode {
  const trpc = useTRPC();
  const router = useRouter();
  const cache = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const refresh = () => cache.invalidateQueries({ queryKey: trpc.workspace.pathKey() });
  const { data, error, refetch } = useQuery(
    trpc.workspace.get.queryOptions(
      { org, workspaceId },
      { refetchInterval: ({ state }) => (state.data?.state === "importing" ? importPollMs : false) },
    ),
  );
  const retry = useMutation(trpc.workspace.retryImport.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(
    trpc.workspace.remove.mutationOptions({
      onSuccess: () => {
        router.push(`/${org}/w`);
        return cache.invalidateQueries();
      },
    }),
  );
  if (error)
    return (
      <Page title={t.title}>
        <ProblemState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title={t.title}>
        <SkeletonRows rows={3} />
      </Page>
    );
  return (
    <Page
      title={data.name}
      lead={
        <>
          {sourceText(data)} · {t.created.replace("{when}", "")} <Time at={data.createdAt} />
        </>
      }
      action={
        <Button look="danger" onClick={() => setRemoving(true)}>
          <Trash2 aria-hidden className="size-4" /> {commonTexts.remove}
        </Button>
      }
    >
      {data.state === "importing" && (
        <p role="status" className="mb-6 flex items-center gap-2 rounded-box border bg-accent-wash px-4 py-3">
          <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" /> {t.importing}
        </p>
      )}
      {data.state === "failed" && (
        <div className="mb-6">
          <ErrorState what={t.failed} why={data.problem ?? commonTexts.errors.unknown} todo={t.failedTodo} id={data.id}>
            <Button size="small" onClick={() => retry.mutate({ org, workspaceId })} busy={retry.isPending}>
              {t.retryImport}
            </Button>
          </ErrorState>
          {retry.error && <p className="mt-2 text-bad text-tool">{problemOf(retry.error).why}</p>}
        </div>
      )}
      {data.state === "ready" && (
        <>
          <section aria-label={t.newSession} className="mb-10">
            <NewSession org={org} workspaceId={workspaceId} />
          </section>
          <h2 className="mb-3 font-medium text-base">{homeTexts.sessions}</h2>
          <SessionTable org={org} workspaceId={workspaceId} empty={{ title: t.noSessionsHere, text: t.noSessionsHereText }} />
        </>
      )}
      {isRemoving && (
        <Suspense>
          <ConfirmDialog
            onClose={() => setRemoving(false)}
            title={t.removeTitle}
            text={t.removeText}
            action={t.remove}
            isBusy={remove.isPending}
            error={remove.error ? problemOf(remove.error).why : null}
            onConfirm={() => remove.mutate({ org, workspaceId })}
          />
        </Suspense>
      )}
    </Page>
  );
}
