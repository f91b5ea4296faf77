import type { OrgId } from "@gantry/contracts";
import type { PresetGround } from "./preset-ground.ts";
import { displayOf, type PresetRow } from "./preset-row.ts";
import { type PresetState, presetState } from "./preset-state.ts";

/** A preset in a list. */
export type PresetItem = PresetState & {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly order: number;
  /** the one that new sessions start on; null while there is none */
  readonly revision: number | null;
  /** shipped with the installation, read-only for organisations */
  readonly isPlatform: boolean;
  /** the organisation's choice for sessions that name none */
  readonly isDefault: boolean;
  readonly hasDraft: boolean;
};

export function presetItem(
  orgId: OrgId,
  preset: PresetRow,
  { ground, defaultSlug }: { ground: PresetGround; defaultSlug: string },
): PresetItem {
  const { id, slug, isPlatform, current, draft } = preset;
  return {
    id,
    slug,
    ...displayOf(preset),
    revision: current?.revision ?? null,
    isPlatform,
    isDefault: slug === defaultSlug,
    ...presetState(orgId, preset, ground),
    hasDraft: draft !== null,
  };
}
