"use client";
import { useQuery } from "@tanstack/react-query";
import { Bot, FlaskConical, FolderGit2, SendHorizontal } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { leaveText, useKeptText } from "../../lib/use-kept-text.ts";
import { homeTexts } from "../../strings/en/home.ts";
import { workspaceTexts } from "../../strings/en/workspaces.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { ProviderItem, WorkspaceItem } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { QuietSelect } from "../../ui/quiet-select.tsx";
import { EmptyState, Skeleton } from "../../ui/states.tsx";
import { AttachButton } from "../session/attach-button.tsx";
import { takesFiles } from "../session/incoming-files.ts";
import { PermissionField } from "../session/permission-select.tsx";
import { PresetReason, PresetSelect, usePresetChoice } from "./preset-select.tsx";
import { useDefaults } from "./use-defaults.ts";
import { useStart } from "./use-start.ts";

const AttachmentChips = lazy(() => import("../session/attachment-chips.tsx"));
const CreateWorkspaceDialog = lazy(() => import("../workspaces/create-dialog.tsx"));

const t = homeTexts;
const maxWorkspaces = 100;
const newSessionDraft = (org: string): string => `gantry-draft-new-${org}`;

/** Where a session starts: the task, the workspace, the model. What is missing is asked for first. */
export function NewSession({ org, workspaceId, prompt }: { org: string; workspaceId?: string; prompt?: string }): ReactNode {
  const trpc = useTRPC();
  const [isCreating, setCreating] = useState(false);
  const workspaces = useQuery(trpc.workspace.list.queryOptions({ org, limit: maxWorkspaces }));
  const providers = useQuery(trpc.provider.list.queryOptions({ org }));
  const error = workspaces.error ?? providers.error;
  if (error) return <ProblemState error={error} onRetry={() => void Promise.all([workspaces.refetch(), providers.refetch()])} />;
  if (!workspaces.data || !providers.data) return <Skeleton className="h-40" />;
  if (providers.data.length === 0)
    return (
      <EmptyState icon={Bot} title={t.needModel} text={t.needModelText}>
        <Button asChild look="primary">
          <Link href={`/${org}/settings/models?add=1`}>{t.addModel}</Link>
        </Button>
      </EmptyState>
    );
  if (workspaces.data.items.length === 0)
    return (
      <>
        <EmptyState icon={FolderGit2} title={t.needWorkspace} text={t.needWorkspaceText}>
          <Button look="primary" onClick={() => setCreating(true)}>
            {workspaceTexts.create}
          </Button>
        </EmptyState>
        <Suspense>{isCreating && <CreateWorkspaceDialog org={org} onClose={() => setCreating(false)} />}</Suspense>
      </>
    );
  return <Form org={org} workspaces={workspaces.data.items} providers={providers.data} workspaceId={workspaceId} prompt={prompt ?? ""} />;
}

type FormProps = { org: string; workspaces: WorkspaceItem[]; providers: ProviderItem[]; workspaceId: string | undefined; prompt: string };

function Form({ org, workspaces, providers, workspaceId, prompt }: FormProps): ReactNode {
  const routes = providers.flatMap((provider) =>
    provider.models.map((model) => ({ provider, model, value: `${provider.slug}\n${model}` })),
  );
  const [text, setText] = useKeptText(newSessionDraft(org), prompt);
  const [workspace, setWorkspace] = useState(
    workspaceId ?? workspaces.find((item) => item.state === "ready")?.id ?? workspaces[0]?.id ?? "",
  );
  const [picked, setPicked] = useState<string | null>(null);
  const [permission, setPermission] = useState<string | null>(null);
  const defaults = useDefaults(org, workspace);
  const preset = usePresetChoice(org, defaults.preset);
  const preferred = picked ?? `${defaults.provider}\n${defaults.model}`;
  const route = routes.find((item) => item.value === preferred) ?? routes[0];
  const { start, files, error, isBusy } = useStart(org, () => leaveText(newSessionDraft(org), ""));
  const isEmpty = text.trim() === "" && files.items.length === 0;
  const submit = () => {
    if (isEmpty || !route || isBusy) return;
    start({
      text,
      workspaceId: workspace,
      providerSlug: route.provider.slug,
      model: route.model,
      ...(preset.chosen && { preset: preset.chosen.slug }),
      ...(permission && { permission }),
    });
  };
  const { onPaste, onDrop } = takesFiles(files.add);
  return (
    <form
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="rounded-box border border-line-strong bg-card focus-within:border-accent">
        {files.items.length > 0 && (
          <Suspense>
            <AttachmentChips items={files.items} onRemove={files.remove} />
          </Suspense>
        )}
        <textarea
          data-composer
          // biome-ignore lint/a11y/noAutofocus: the page is for writing this text
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={onPaste}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
          aria-label={t.prompt}
          placeholder={t.placeholder}
          rows={4}
          className="scroll-quiet field-sizing-content block max-h-[40vh] min-h-28 w-full resize-none bg-transparent px-4 pt-3 text-base outline-none"
        />
        <div className="flex flex-wrap items-center gap-x-0.5 gap-y-2 p-2">
          <AttachButton onFiles={files.add} />
          <QuietSelect
            icon={FolderGit2}
            aria-label={t.workspace}
            value={workspace}
            onChange={(event) => setWorkspace(event.target.value)}
            className="h-9 max-w-44"
          >
            {workspaces.map((item) => (
              <option key={item.id} value={item.id} disabled={item.state !== "ready"}>
                {item.name}
                {item.state === "importing" && ` (${t.importing})`}
                {item.state === "failed" && ` (${t.failedImport})`}
              </option>
            ))}
          </QuietSelect>
          <QuietSelect
            icon={Bot}
            aria-label={t.model}
            value={route?.value}
            onChange={(event) => setPicked(event.target.value)}
            className="h-9 max-w-56"
          >
            {routes.map(({ provider, model, value }) => (
              <option key={value} value={value}>
                {providers.length > 1 && `${provider.name} · `}
                {model}
              </option>
            ))}
          </QuietSelect>
          <PresetSelect choice={preset} />
          <PermissionField value={permission ?? defaults.permission ?? "workspace-write"} onChange={setPermission} className="h-9" />
          <Button
            look="primary"
            type="submit"
            className="ml-auto max-sm:h-11 max-sm:w-full max-sm:justify-center"
            disabled={isEmpty}
            busy={isBusy}
          >
            <SendHorizontal aria-hidden className="size-4" /> {t.start}
          </Button>
        </div>
      </div>
      <PresetReason choice={preset} />
      {route?.provider.kind === "demo" && (
        <p className="mt-2 flex items-center gap-2 text-soft text-tool">
          <FlaskConical aria-hidden className="size-4 text-warn" /> {t.demo}
        </p>
      )}
      {error && (
        <p role="alert" className="mt-2 text-bad text-tool">
          {problemOf(error).why}
        </p>
      )}
    </form>
  );
}
