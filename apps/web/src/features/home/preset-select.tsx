"use client";
import { useQuery } from "@tanstack/react-query";
import { Layers } from "lucide-react";
import { type ReactNode, useState } from "react";
import { homeTexts } from "../../strings/en/home.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { PresetItem } from "../../trpc/outputs.ts";
import { QuietSelect } from "../../ui/quiet-select.tsx";

const t = homeTexts;

export type PresetChoice = { presets: readonly PresetItem[]; chosen: PresetItem | undefined; choose: (slug: string) => void };

/** The presets of the organisation; the default of the workspace until another one is picked. */
export function usePresetChoice(org: string, defaultSlug: string | null): PresetChoice {
  const [slug, choose] = useState<string | null>(null);
  const presets = useQuery(useTRPC().preset.list.queryOptions({ org })).data ?? [];
  const chosen = presets.find((one) => one.slug === (slug ?? defaultSlug)) ?? presets.find((one) => one.isDefault);
  return { presets, chosen, choose };
}

const stateText = ({ state, reasons }: PresetItem): string =>
  state === "draft" ? t.presetDraft : fill(t.presetBroken, { why: reasons[0] ?? "" });

/** Presets that cannot be mounted are listed with the reason, and cannot be picked. */
export const PresetSelect = ({ choice: { presets, chosen, choose } }: { choice: PresetChoice }): ReactNode =>
  presets.length > 0 && (
    <QuietSelect
      icon={Layers}
      aria-label={t.preset}
      value={chosen?.slug}
      onChange={(event) => choose(event.target.value)}
      className="h-9 max-w-44"
    >
      {presets.map((preset) => (
        <option key={preset.slug} value={preset.slug} disabled={preset.state !== "ok"} title={preset.description}>
          {preset.name}
          {preset.state !== "ok" && ` (${preset.state === "draft" ? t.presetDraft : t.presetBrokenShort})`}
        </option>
      ))}
    </QuietSelect>
  );

/** Why the preset that is picked (a default may be) cannot start a session. */
export const PresetReason = ({ choice: { chosen } }: { choice: PresetChoice }): ReactNode =>
  chosen &&
  chosen.state !== "ok" && (
    <p role="alert" className="mt-2 text-bad text-tool">
      {chosen.name}: {stateText(chosen)}
    </p>
  );
