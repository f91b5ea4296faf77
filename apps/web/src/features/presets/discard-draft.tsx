"use client";
import { useMutation } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));

type Props = {
  org: string;
  slug: string;
  draftAt: string;
  revision: number;
  isDirty: boolean;
  onChanged: () => Promise<void>;
  onDone: () => void;
};

/** Puts a draft away without repairing it; asks first. */
export function DiscardDraft({ org, slug, draftAt, revision, isDirty, onChanged, onDone }: Props): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const discard = useMutation(
    useTRPC().preset.discardDraft.mutationOptions({
      onSuccess: async () => {
        onDone();
        await onChanged();
      },
      onError: onChanged, // the draft that is stored now has to be seen before it goes
    }),
  );
  const close = () => {
    discard.reset();
    setAsked(false);
  };
  return (
    <>
      <Button size="small" onClick={() => setAsked(true)}>
        {t.discardDraft}
      </Button>
      <Suspense>
        {isAsked && (
          <ConfirmDialog
            title={t.discardDraftTitle}
            text={`${fill(t.discardDraftText, { n: revision })}${isDirty ? ` ${t.discardDraftDirty}` : ""}`}
            action={t.discardDraft}
            isBusy={discard.isPending || discard.isSuccess}
            error={discard.error && problemOf(discard.error).why}
            onConfirm={() => discard.mutate({ org, slug, expectedDraft: draftAt })}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
