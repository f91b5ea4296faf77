import type { ReactNode } from "react";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import type { PresetItem } from "../../trpc/outputs.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const tones: Record<PresetItem["state"], Tone> = { ok: "good", draft: "warn", broken: "bad" };

/** Whose preset it is, whether it is the default, which revision is in force and how it stands. */
export const PresetMarks = ({ preset }: { preset: PresetItem }): ReactNode => (
  <span className="flex flex-wrap items-center gap-1.5">
    <Badge tone={tones[preset.state]}>{presets.states[preset.state]}</Badge>
    {preset.isDefault && <Badge tone="accent">{presets.isDefault}</Badge>}
    {preset.hasDraft && preset.state !== "draft" && <Badge tone="warn">{presets.hasDraft}</Badge>}
    <Badge>{preset.isPlatform ? presets.platform : presets.own}</Badge>
    <Badge>{preset.revision === null ? presets.noRevision : fill(presets.revision, { n: preset.revision })}</Badge>
  </span>
);
