"use client";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { relativeTime } from "../../lib/format.ts";
import { useSearchParam } from "../../lib/use-search-param.ts";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import type { PresetDetail } from "../../trpc/outputs.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { TabPanel, Tabs } from "../../ui/tabs.tsx";
import { BackNote } from "../yaml/back-note.tsx";
import { YamlEditor } from "../yaml/lazy-editor.tsx";
import { ProblemList } from "../yaml/problem-list.tsx";
import { useCheck } from "../yaml/use-check.ts";
import { useHints } from "../yaml/use-hints.ts";
import { DiscardDraft } from "./discard-draft.tsx";
import { PresetForm } from "./preset-form.tsx";
import { SaveBar } from "./save-bar.tsx";
import { usePresetText } from "./use-preset-text.ts";

const DryRun = lazy(() => import("./dry-run.tsx"));
const Revisions = lazy(() => import("./revisions.tsx"));

type View = keyof typeof t.views;
const isView = (value: string | null): value is View => value !== null && Object.hasOwn(t.views, value);

/** The text of a preset in its views; the form and the YAML edit the same text. */
export function PresetEditor({ org, preset }: { org: string; preset: PresetDetail }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const cache = useQueryClient();
  const [asked, setView] = useSearchParam("view");
  const view = isView(asked) ? asked : "form";
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const state = usePresetText(org, preset);
  const hints = useHints(org, "preset");
  const { slug, isPlatform } = preset;
  const { source } = state.text;
  const check = useCheck(["preset-check", org, slug, preset.revision], source, (text) =>
    client.preset.check.mutate({ org, slug, source: text }),
  );
  const problems = check.data?.problems ?? [];
  const refresh = () => cache.invalidateQueries({ queryKey: trpc.preset.pathKey() });
  const goToLine = (line: number) => {
    setView("yaml");
    setGoTo({ line });
  };
  return (
    <>
      <Standing preset={preset} isDraft={state.isDraft} onShowCurrent={() => state.reset("current")}>
        {preset.draft && preset.revision !== null && (
          <DiscardDraft
            org={org}
            slug={slug}
            draftAt={preset.draft.at}
            revision={preset.revision}
            isDirty={state.isDirty}
            onChanged={refresh}
            onDone={() => state.reset()}
          />
        )}
      </Standing>
      {state.isBack && <BackNote onDiscard={() => state.reset()} />}
      <Tabs label={t.viewsLabel} value={view} onChange={setView} views={t.views}>
        {problems.length > 0 && view !== "revisions" && <ProblemList problems={problems} onGoTo={goToLine} />}
        <TabPanel value="form">
          <PresetForm state={state} plugins={hints.plugins} readOnly={isPlatform} onEditYaml={goToLine} />
        </TabPanel>
        <TabPanel value="yaml">
          <YamlEditor
            value={source}
            label={t.yamlLabel}
            readOnly={isPlatform}
            issues={problems}
            hints={hints.editor}
            goTo={goTo}
            onChange={(next) => state.change({ source: next })}
          />
        </TabPanel>
        <TabPanel value="check">
          <Suspense fallback={<SkeletonRows rows={4} />}>
            <DryRun preset={preset} check={check} />
          </Suspense>
        </TabPanel>
        <TabPanel value="revisions">
          <Suspense fallback={<SkeletonRows rows={4} />}>
            <Revisions org={org} preset={preset} />
          </Suspense>
        </TabPanel>
      </Tabs>
      {!isPlatform && view !== "revisions" && <SaveBar org={org} preset={preset} state={state} onSaved={refresh} />}
    </>
  );
}

/** `children`: what else can be done with the draft */
type StandingProps = { preset: PresetDetail; isDraft: boolean; onShowCurrent: () => void; children?: ReactNode };

/** What a reader has to know before the text: that it cannot be changed, is not in force, or does not mount. */
function Standing({ preset, isDraft, onShowCurrent, children }: StandingProps): ReactNode {
  const { draft, revision } = preset;
  return (
    <>
      {preset.isPlatform && (
        <Note kind="info" title={t.readOnly}>
          {t.readOnlyText}
        </Note>
      )}
      {preset.state === "broken" && (
        <Note kind="bad" title={fill(t.broken, { n: revision ?? 0 })}>
          {preset.reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </Note>
      )}
      {isDraft && draft && (
        <Note
          kind="warn"
          title={t.draftOf}
          action={
            revision !== null && (
              <>
                <Button size="small" onClick={onShowCurrent}>
                  {fill(t.showCurrent, { n: revision })}
                </Button>
                {children}
              </>
            )
          }
        >
          {fill(t.draftText, {
            when: relativeTime(new Date(draft.at)),
            current: revision === null ? t.draftNone : fill(t.draftCurrent, { n: revision }),
          })}
        </Note>
      )}
    </>
  );
}
