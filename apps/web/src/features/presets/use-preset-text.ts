"use client";
import { useState } from "react";
import { useKeptEdit } from "../../lib/use-kept-edit.ts";
import type { PresetDetail } from "../../trpc/outputs.ts";

export type PresetText = { readonly source: string; readonly name: string; readonly description: string; readonly order: number };
type Edit = { readonly text: PresetText; readonly startedOn: number | null; readonly startedOnDraft: string | null };
export type PresetTextState = {
  readonly text: PresetText;
  readonly isDirty: boolean;
  /** the changes were made before the page was opened this time */
  readonly isBack: boolean;
  /** a draft that is not in force is what the editor began with */
  readonly isDraft: boolean;
  /** the revision that was in force when the editing began */
  readonly startedOn: number | null;
  /** when the draft that was there then was stored */
  readonly startedOnDraft: string | null;
  /** counts texts that came from elsewhere than typing */
  readonly version: number;
  change: (patch: Partial<PresetText>) => void;
  /** back to what is stored; `current`: to the revision in force, past the draft */
  reset: (to?: "current") => void;
  /** goes on with the text on top of the revision that is in force now */
  rebase: () => void;
};

/** The text under work. Without a change it follows what is stored; with one it stays, also over a reload, until it is saved or discarded. */
export function usePresetText(org: string, preset: PresetDetail): PresetTextState {
  const { edit, setEdit, isBack } = useKeptEdit<Edit>(`gantry-preset:${org}:${preset.id}`);
  const [skipsDraft, setSkipsDraft] = useState(false);
  const [version, setVersion] = useState(0);
  const isDraft = preset.draft !== null && !skipsDraft;
  const stored = textOf(isDraft && preset.draft ? preset.draft : preset);
  const text = edit?.text ?? stored;
  const now = { startedOn: preset.revision, startedOnDraft: preset.draft?.at ?? null };
  const { startedOn, startedOnDraft } = edit ?? now;
  return {
    text,
    isDirty: edit !== null,
    isBack,
    isDraft,
    startedOn,
    startedOnDraft,
    version,
    change: (patch) => {
      const next = { ...text, ...patch };
      setEdit(isSame(next, stored) ? null : { text: next, startedOn, startedOnDraft });
    },
    reset: (to) => {
      setEdit(null);
      setSkipsDraft(to === "current");
      setVersion(version + 1);
    },
    rebase: () => setEdit({ text, ...now }),
  };
}

const textOf = ({ source, name, description, order }: PresetText): PresetText => ({ source, name, description, order });
const isSame = (a: PresetText, b: PresetText): boolean =>
  a.source === b.source && a.name === b.name && a.description === b.description && a.order === b.order;
