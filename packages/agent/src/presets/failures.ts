import type { AppError } from "@gantry/contracts";
import type { RootLimits } from "../root/limits.ts";
import { brokenPreset, delayedPreset, generationId, type PresetRef } from "./preset-ref.ts";

type Failure = {
  readonly preset: PresetRef;
  readonly reasons: readonly string[];
  /** when a delayed one may be tried again; null for one that is broken for good */
  readonly retryAt: number | null;
  readonly attempts: number;
};

/** What is known of revisions that did not mount: broken ones stay so, the others may be tried again after a growing wait (G-7). */
export class PresetFailures {
  private readonly byId = new Map<string, Failure>();
  private readonly limits: RootLimits;

  constructor(limits: RootLimits) {
    this.limits = limits;
  }

  /** @throws AppError PRESET_BROKEN, UNAVAILABLE while the wait lasts */
  assertUsable(preset: PresetRef): void {
    const failure = this.byId.get(generationId(preset));
    if (!failure) return;
    if (failure.retryAt === null) throw brokenPreset(preset, failure.reasons);
    const waitMs = failure.retryAt - Date.now();
    if (waitMs > 0) throw delayedPreset(preset, failure.reasons, waitMs);
  }

  /** Answers with what those who wait for the mount are told. */
  breakForGood(preset: PresetRef, reasons: readonly string[]): AppError {
    this.byId.set(generationId(preset), { preset, reasons, retryAt: null, attempts: 0 });
    return brokenPreset(preset, reasons);
  }

  /** Answers with what those who wait for the mount are told. */
  delay(preset: PresetRef, reasons: readonly string[]): AppError {
    const attempts = (this.byId.get(generationId(preset))?.attempts ?? 0) + 1;
    const waitMs = Math.min(this.limits.retryFirstMs * 2 ** (attempts - 1), this.limits.retryMaxMs);
    this.byId.set(generationId(preset), { preset, reasons, retryAt: Date.now() + waitMs, attempts });
    return delayedPreset(preset, reasons, waitMs);
  }

  forget(preset: PresetRef): void {
    this.byId.delete(generationId(preset));
  }

  /** Forgets revisions that nobody asks for any more. */
  keepOnly(keep: (presetId: string, revision: number) => boolean): void {
    for (const { preset } of [...this.byId.values()]) if (!keep(preset.presetId, preset.revision)) this.forget(preset);
  }
}
