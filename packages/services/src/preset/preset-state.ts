import { canonicalJson, catalogData, composePreset, describeIssue } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { PresetGround } from "./preset-ground.ts";
import type { PresetRow, RevisionRow } from "./preset-row.ts";

export type PresetState = {
  /** `draft`: no version of it was valid yet. `broken`: its current revision cannot be mounted */
  readonly state: "ok" | "draft" | "broken";
  readonly reasons: readonly string[];
};

/** Whether sessions can start on a preset, and every reason why not: from its rows, and from the worker that tried to mount it (G-3, G-7). */
export function presetState(orgId: OrgId, preset: PresetRow, ground: PresetGround): PresetState {
  const { current, draft, brokenRevision, brokenReason, brokenOn } = preset;
  if (!current) return { state: "draft", reasons: draft?.problems.map(describeIssue) ?? [] };
  const isMarked = brokenRevision === current.revision && (brokenOn === null || brokenOn === ground.hash); // on another composition it is tried again
  const mount = isMarked && brokenReason !== null ? [brokenReason] : [];
  const reasons = [...mount, ...presetProblems(orgId, preset.slug, current, ground)];
  return { state: reasons.length > 0 ? "broken" : "ok", reasons };
}

/** Enough for the presets of the organisations that a process serves in an hour; the oldest use goes first. */
const maxRemembered = 2_000;
const remembered = new Map<string, readonly string[]>();

/** Composing is pure, so its answer is kept under everything it depends on; the organisation is part of the key, so nothing is shared (M-7). */
export function presetProblems(orgId: OrgId, slug: string, { revision, hash, rows }: RevisionRow, ground: PresetGround): readonly string[] {
  const { facts, hostRows } = ground;
  const key = canonicalJson([orgId, slug, revision, hash, catalogData.version, facts, ground.hash, ground.label]);
  const problems = remembered.get(key) ?? composePreset({ slug, revision, rows, facts, hostRows }).problems.map(describeIssue);
  remembered.delete(key);
  remembered.set(key, problems);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= maxRemembered) break;
    remembered.delete(oldest);
  }
  return problems;
}
