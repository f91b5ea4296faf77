"use client";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs, PresetDetail } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { NewerRevisions } from "../yaml/newer-revisions.tsx";
import { ReasonForm } from "../yaml/reason-form.tsx";
import { StaleNote } from "../yaml/stale-note.tsx";
import type { PresetTextState } from "./use-preset-text.ts";

type Props = { org: string; preset: PresetDetail; state: PresetTextState; onSaved: () => Promise<void> };
type Saved = Outputs["preset"]["save"] & { before: number | null };

/** Saves the text as a revision, or says why it stays a draft. It shows as soon as there is something to save. */
export function SaveBar({ org, preset, state, onSaved }: Props): ReactNode {
  const trpc = useTRPC();
  const [saved, setSaved] = useState<Saved | null>(null);
  const save = useMutation(
    trpc.preset.save.mutationOptions({
      onSuccess: async (result, input) => {
        await onSaved();
        setSaved({ ...result, before: input.expectedRevision });
        state.reset();
      },
      onError: onSaved, // reads what is stored now: saving over it has to name it
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  const isStale = problem?.code === "REVISION_STALE";
  const submit = (reason: string, expectedRevision: number | null, expectedDraft: string | null) => {
    setSaved(null);
    save.mutate({ org, slug: preset.slug, ...state.text, expectedRevision, expectedDraft, ...(reason && { reason }) });
  };
  const discard = () => {
    save.reset();
    state.reset();
  };
  return (
    <div className="sticky bottom-0 z-10 mt-6 bg-page max-sm:-mx-4">
      {saved && !state.isDirty && (saved.saved === "revision" || preset.draft) && <SavedNote saved={saved} />}
      {isStale && (
        <StaleNote
          isBusy={save.isPending}
          onSaveOver={() => {
            state.rebase();
            submit(save.variables?.reason ?? "", preset.revision, preset.draft?.at ?? null);
          }}
          onDiscard={discard}
        >
          <NewerRevisions revisions={preset.revisions} seen={state.startedOn} current={preset.revision} />
        </StaleNote>
      )}
      {problem && !isStale && (
        <ErrorState what={t.notSaved} why={problem.why} {...(problem.todo && { todo: problem.todo })} id={problem.id} />
      )}
      {(state.isDirty || state.isDraft) && !isStale && (
        <ReasonForm action={t.save} isBusy={save.isPending} onSubmit={(reason) => submit(reason, state.startedOn, state.startedOnDraft)}>
          {state.isDirty && (
            <Button look="quiet" onClick={discard}>
              {t.discard}
            </Button>
          )}
        </ReasonForm>
      )}
    </div>
  );
}

function SavedNote({ saved }: { saved: Saved }): ReactNode {
  if (saved.saved === "draft") return <Note kind="bad" title={t.savedDraft} />;
  const text = saved.revision === saved.before ? t.savedSame : t.savedRevision;
  return <Note kind="good" title={fill(text, { n: saved.revision ?? 0 })} />;
}
