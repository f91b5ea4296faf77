"use client";
import { type ReactNode, useState } from "react";
import { homeTexts } from "../../strings/en/home.ts";
import { presetChoice } from "../../strings/en/preset-choice.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import { useSelectPreset } from "./use-select-preset.ts";

const t = presetChoice;
/** `current`: slug of the preset that the session is on */
type Props = { org: string; sessionId: string; reason: string | null; current: string | null };

/** Stands in the composer's place while the session's preset cannot be mounted: why, and the way on (G-19). */
export default function ReadOnlyNote({ org, sessionId, reason, current }: Props): ReactNode {
  const { presets, select, choose } = useSelectPreset(org, sessionId);
  const usable = presets.filter(({ state }) => state === "ok");
  const [picked, setPicked] = useState<string | null>(null);
  const chosen =
    picked ?? usable.find(({ slug }) => slug === current)?.slug ?? usable.find(({ isDefault }) => isDefault)?.slug ?? usable[0]?.slug ?? "";
  return (
    <Note kind="warn" title={t.readOnly}>
      {reason && <p className="break-words">{reason}</p>}
      <p>{t.readOnlyTodo}</p>
      <form
        className="mt-3 flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) choose(chosen);
        }}
      >
        <div className="w-56 max-w-full">
          <Select aria-label={homeTexts.preset} value={chosen} onChange={(event) => setPicked(event.target.value)}>
            {usable.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        <Button type="submit" look="primary" disabled={!chosen} busy={select.isPending || select.isSuccess}>
          {t.choose}
        </Button>
      </form>
      {select.error && (
        <p role="alert" className="mt-2 text-bad">
          {problemOf(select.error).why}
        </p>
      )}
    </Note>
  );
}
