import type { Generation } from "./generation.ts";

/** A generation on the diagnostics page (F-4). Plain data. */
export type GenerationView = {
  readonly presetId: string;
  readonly slug: string;
  readonly revision: number;
  readonly hash: string;
  readonly users: number;
  readonly state: "mounting" | "live" | "broken" | "ending";
  readonly isRetired: boolean;
  /** why it is broken */
  readonly reasons: readonly string[];
  /** milliseconds since the last user left; null while there are any */
  readonly idleMs: number | null;
};

export function viewOf(generation: Generation): GenerationView {
  const { preset, users, state, isRetired, reasons, idleSince, isEnding } = generation;
  const { presetId, slug, revision, hash } = preset;
  const idleMs = users === 0 ? Date.now() - idleSince : null;
  return { presetId, slug, revision, hash, users, state: isEnding ? "ending" : state, isRetired, reasons, idleMs };
}
