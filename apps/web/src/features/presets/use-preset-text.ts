"use client";
import { useState } from "react";
import type { PresetDetail } from "../../trpc/outputs.ts";

export type PresetText = { readonly source: string; readonly name: string; readonly description: string; readonly order: number };
export type PresetTextState = {
  readonly text: PresetText;
  readonly isDirty: boolean;
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

/** The text under work. Without a change it follows what is stored; with one it stays until it is saved or discarded. */
export function usePresetText(preset: PresetDetail): PresetTextState {
  const [edited, setEdited] = useState<{ text: PresetText; startedOn: number | null; startedOnDraft: string | null } | null>(null);
  const [skipsDraft, setSkipsDraft] = useState(false);
  const [version, setVersion] = useState(0);
  const isDraft = preset.draft !== null && !skipsDraft;
  const stored = textOf(isDraft && preset.draft ? preset.draft : preset);
  const text = edited?.text ?? stored;
  const now = { startedOn: preset.revision, startedOnDraft: preset.draft?.at ?? null };
  const { startedOn, startedOnDraft } = edited ?? now;
  return {
    text,
    isDirty: edited !== null && !isSame(edited.text, stored),
    isDraft,
    startedOn,
    startedOnDraft,
    version,
    change: (patch) => setEdited({ text: { ...text, ...patch }, startedOn, startedOnDraft }),
    reset: (to) => {
      setEdited(null);
      setSkipsDraft(to === "current");
      setVersion(version + 1);
    },
    rebase: () => setEdited({ text, ...now }),
  };
}

const textOf = ({ source, name, description, order }: PresetText): PresetText => ({ source, name, description, order });
const isSame = (a: PresetText, b: PresetText): boolean =>
  a.source === b.source && a.name === b.name && a.description === b.description && a.order === b.order;
