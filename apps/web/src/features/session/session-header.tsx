"use client";
import type { CallConfig } from "@gantry/contracts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FlaskConical, FolderGit2, Pencil } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { en } from "../../strings/en.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useIsDemo } from "../providers/use-is-demo.ts";
import { newClientKey } from "./outbox.ts";

type Props = { org: string; session: Outputs["session"]["get"] | undefined; title: string | null; config: CallConfig | null };

/** Title, workspace, model; a scripted model says that it is one. */
export function SessionHeader({ org, session, title, config }: Props): ReactNode {
  const [isRenaming, setIsRenaming] = useState(false);
  const shown = title ?? session?.title ?? en.session.untitled;
  const isDemo = useIsDemo(org, session?.provider ?? null);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-3 border-b px-4 py-1.5 max-md:pl-14">
      <h1 className="min-w-0 truncate font-medium text-sm" title={shown}>
        {shown}
      </h1>
      <Tooltip text={en.session.rename} side="bottom">
        <Button look="quiet" size="icon" aria-label={en.session.rename} onClick={() => setIsRenaming(true)} className="max-sm:hidden">
          <Pencil aria-hidden className="size-3.5" />
        </Button>
      </Tooltip>
      <div className="ml-auto flex shrink-0 items-center gap-3 text-soft text-xs sm:min-w-0 sm:shrink">
        {isDemo && (
          <Tooltip text={en.session.demoWhy} side="bottom">
            <button
              type="button"
              className="flex cursor-help items-center gap-1 whitespace-nowrap rounded-full border bg-warn-wash px-2 py-0.5 font-medium text-warn"
            >
              <FlaskConical aria-hidden className="size-3.5" /> {en.session.demo}
            </button>
          </Tooltip>
        )}
        {session && (
          <>
            <Link
              href={`/${org}/w/${session.workspaceId}`}
              className="flex min-w-0 items-center gap-1 hover:text-ink hover:underline max-sm:hidden"
            >
              <FolderGit2 aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{session.workspaceName}</span>
            </Link>
            <code className="truncate font-mono max-sm:hidden">{config?.model ?? session.model}</code>
          </>
        )}
      </div>
      {session && isRenaming && (
        <RenameDialog org={org} sessionId={session.id} title={title ?? session.title ?? ""} onClose={() => setIsRenaming(false)} />
      )}
    </header>
  );
}

function RenameDialog({
  org,
  sessionId,
  title,
  onClose,
}: {
  org: string;
  sessionId: string;
  title: string;
  onClose: () => void;
}): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [value, setValue] = useState(title);
  const [clientKey] = useState(newClientKey);
  const rename = useMutation(
    trpc.session.rename.mutationOptions({
      onSuccess: async () => {
        onClose();
        await cache.invalidateQueries({ queryKey: trpc.session.pathKey() });
      },
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={en.session.rename}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ org, sessionId, clientKey, title: value });
        }}
      >
        <Field label={en.session.title} error={rename.error && problemOf(rename.error).why}>
          {(control) => <Input {...control} value={value} maxLength={200} required onChange={(event) => setValue(event.target.value)} />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{en.cancel}</Button>
          <Button look="primary" type="submit" busy={rename.isPending}>
            {en.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
