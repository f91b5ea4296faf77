"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useKeptEdit } from "../../lib/use-kept-edit.ts";
import { admin } from "../../strings/en/admin.ts";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { BackNote } from "../yaml/back-note.tsx";
import { YamlEditor } from "../yaml/lazy-editor.tsx";
import { NewerRevisions } from "../yaml/newer-revisions.tsx";
import { ProblemList } from "../yaml/problem-list.tsx";
import { ReasonForm } from "../yaml/reason-form.tsx";
import { RowDiffs } from "../yaml/row-diffs.tsx";
import { StaleNote } from "../yaml/stale-note.tsx";
import { useCheck } from "../yaml/use-check.ts";
import { useHints } from "../yaml/use-hints.ts";
import { profile } from "./profile.ts";
import { useRefresh } from "./use-refresh.ts";

const t = admin.composition;
const none: readonly [] = [];
type Layer = Outputs["composition"]["layer"];

/** The organisation's own layer: its text, what it would change, and saving it. */
export default function LayerEditor({ org }: { org: string }): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().composition.layer.queryOptions({ org, profile }));
  if (error) return <ProblemState error={error} onRetry={() => void refetch()} />;
  return data ? <Editor org={org} layer={data} /> : <SkeletonRows rows={5} />;
}

function Editor({ org, layer }: { org: string; layer: Layer }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refresh = useRefresh();
  const hints = useHints(org, "host");
  const { edit: edited, setEdit: setEdited, isBack } = useKeptEdit<{ source: string; startedOn: number }>(`gantry-layer:${org}:${profile}`);
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const source = edited?.source ?? layer.source;
  const startedOn = edited?.startedOn ?? layer.revision;
  const isDirty = edited !== null && edited.source !== layer.source;
  const check = useCheck(["layer-check", org, layer.revision], source, (text) =>
    client.composition.check.mutate({ org, profile, source: text }),
  );
  const save = useMutation(
    trpc.composition.save.mutationOptions({
      onSuccess: async ({ problems }) => {
        await refresh();
        if (problems.length === 0) setEdited(null);
      },
      onError: refresh, // saving over what is stored has to name it
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  const isStale = problem?.code === "REVISION_STALE";
  // what was confirmed is the text that was refused: another one is asked about again
  const isBreaking = problem?.code === "PRESETS_BREAK" && save.variables?.source === source;
  const submit = (reason: string, expectedRevision: number, more: { force?: true } = {}) =>
    save.mutate({ org, profile, source, expectedRevision, ...(reason && { reason }), ...more });
  const problems = check.data?.problems ?? [];
  const warnings = check.data?.warnings ?? [];
  const issues = useMemo(
    () => check.data && [...check.data.problems, ...check.data.warnings.map((warning) => ({ ...warning, severity: "warning" as const }))],
    [check.data],
  );
  const discard = () => {
    save.reset();
    setEdited(null);
  };
  return (
    <>
      <p className="mb-4 max-w-2xl text-soft">{t.layerLead}</p>
      {isBack && <BackNote onDiscard={discard} />}
      {problems.length > 0 && <ProblemList problems={problems} onGoTo={(line) => setGoTo({ line })} />}
      {warnings.length > 0 && <ProblemList look="warn" title={t.leftOut} problems={warnings} onGoTo={(line) => setGoTo({ line })} />}
      {layer.revision === 0 && !isDirty && (
        <div className="mb-3 flex flex-wrap items-center gap-3 text-soft text-tool">
          <p className="min-w-0 flex-1 basis-72">{t.layerEmpty}</p>
          <Button size="small" onClick={() => setEdited({ source: t.exampleText, startedOn })}>
            {t.example}
          </Button>
        </div>
      )}
      <YamlEditor
        value={source}
        label={t.layerLabel}
        layer
        issues={issues ?? none}
        hints={hints.editor}
        goTo={goTo}
        onChange={(next) => setEdited({ source: next, startedOn })}
      />
      {isDirty && check.data && (
        <section aria-labelledby="layer-changes" className="mt-6">
          <h2 id="layer-changes" className="mb-3 font-medium text-base">
            {t.changes}
          </h2>
          {check.data.diff.length > 0 ? <RowDiffs diffs={check.data.diff} showLayers /> : <p className="text-soft">{t.noChanges}</p>}
        </section>
      )}
      <div className="sticky bottom-0 z-10 mt-6 bg-page max-sm:-mx-4">
        {save.data && !isDirty && save.data.problems.length === 0 && (
          <Note kind={warnings.length > 0 ? "warn" : "good"} title={fill(t.saved, { n: save.data.revision })}>
            {warnings.length > 0 && <p>{warnings.length === 1 ? t.savedWithoutOne : fill(t.savedWithout, { n: warnings.length })}</p>}
            {save.data.affectedPresets.length > 0 && fill(admin.plugins.presetsGone, { presets: save.data.affectedPresets.join(", ") })}
          </Note>
        )}
        {save.data && isDirty && save.data.problems.length > 0 && <Note kind="bad" title={t.refused} />}
        {isStale && (
          <StaleNote
            isBusy={save.isPending}
            onSaveOver={() => {
              setEdited({ source, startedOn: layer.revision });
              submit(save.variables?.reason ?? "", layer.revision);
            }}
            onDiscard={discard}
          >
            <NewerRevisions revisions={layer.revisions} seen={startedOn} current={layer.revision} />
          </StaleNote>
        )}
        {problem && !isStale && (
          <Note
            kind="bad"
            title={problem.why}
            action={
              isBreaking && (
                <Button
                  size="small"
                  look="danger"
                  className="max-sm:h-11"
                  busy={save.isPending}
                  onClick={() => submit(save.variables?.reason ?? "", startedOn, { force: true })}
                >
                  {presets.breakAnyway}
                </Button>
              )
            }
          />
        )}
        {isDirty && !isStale && (
          <ReasonForm action={t.save} isBusy={save.isPending} onSubmit={(reason) => submit(reason, startedOn)}>
            <Button look="quiet" onClick={discard}>
              {t.discard}
            </Button>
          </ReasonForm>
        )}
      </div>
    </>
  );
}
