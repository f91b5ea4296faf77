import { AppError } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import type { RootLimits } from "../root/limits.ts";
import type { Plugins } from "../root/mount-rows.ts";
import { PresetFailures } from "./failures.ts";
import { Generation, type GenerationOptions, type MountFailure } from "./generation.ts";
import { brokenPreset, generationId, type PresetRef } from "./preset-ref.ts";
import { type GenerationView, viewOf } from "./view.ts";
import { within } from "./within.ts";

export type PresetsOptions = {
  readonly plugins: Plugins;
  readonly limits: RootLimits;
  /** told of each revision that cannot be mounted, or that leaked a service while in use */
  readonly onBroken: (preset: PresetRef, reasons: readonly string[]) => void;
};

export type Waiting = { readonly signal?: AbortSignal };

/**
 * The generations of an org root, one for each revision in use (G-6, PRE-1): mounted on first use, shared, kept while they have users, ended
 * when retired, idle too long, or in the way of another. They live by the context given here, not by their users' (G-8).
 */
export class GenerationPool {
  private readonly ctx: Context;
  private readonly options: PresetsOptions;
  private readonly failures: PresetFailures;
  /** open to be joined, by revision */
  private readonly open = new Map<string, Generation>();
  /** all that have not come to rest */
  private readonly standing = new Set<Generation>();
  private isClosed = false;

  constructor(ctx: Context, options: PresetsOptions) {
    this.ctx = ctx;
    this.options = options;
    this.failures = new PresetFailures(options.limits);
  }

  /**
   * Counts the caller as a user, before anything is awaited: what is claimed is not collected. To be given back with `release`.
   * @throws AppError PRESET_BROKEN, UNAVAILABLE
   */
  claim(preset: PresetRef): Generation {
    if (this.isClosed) throw closing();
    this.failures.assertUsable(preset);
    return this.claimAgain(this.open.get(generationId(preset)) ?? this.begin(preset));
  }

  /** As `claim`, for one that has users: also when it is retired. */
  claimAgain(generation: Generation): Generation {
    assertJoinable(generation);
    generation.users += 1;
    return generation;
  }

  /** Uses a claimed generation once it is mounted; gives the claim back when that fails. @throws as `claim`, and what `use` throws */
  async hold<T>(generation: Generation, { signal }: Waiting, use: () => T | Promise<T>): Promise<T> {
    try {
      await within(generation.mounted, signal);
      assertJoinable(generation);
      return await use();
    } catch (error) {
      await this.release(generation);
      throw error;
    }
  }

  /** One user less; a retired generation ends with its last (G-16, G-17). Never rejects. */
  async release(generation: Generation): Promise<void> {
    generation.users -= 1;
    generation.idleSince = Date.now();
    await this.collect(generation);
  }

  /** Retires the revisions that are not kept: who joined stays to the end, then the generation goes (G-17). */
  async retire(keep: (presetId: string, revision: number) => boolean): Promise<void> {
    this.failures.keepOnly(keep);
    const stale = [...this.open.values()].filter(({ preset }) => !keep(preset.presetId, preset.revision));
    await Promise.all(stale.map((generation) => this.retireOne(generation)));
  }

  /** Drops what nobody has used for the time; it is mounted again on demand (G-18). */
  async evictIdle(idleMs: number): Promise<void> {
    const before = Date.now() - idleMs;
    await Promise.all(this.idle().map((generation) => (generation.idleSince <= before ? this.end(generation) : undefined)));
  }

  /** Those that have not come to rest. */
  views(): GenerationView[] {
    return [...this.standing].map(viewOf);
  }

  /** Ends all of them, whoever is in; for the closing of the root, after its agents are gone (13.5). */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.standing].map((generation) => this.end(generation)));
  }

  private begin(preset: PresetRef): Generation {
    this.makeRoom();
    const { plugins, limits } = this.options;
    const onLateLeak: GenerationOptions["onLateLeak"] = (leaking, reason) => this.breakLate(leaking, reason);
    const generation = new Generation(this.ctx, preset, { plugins, limits, onLateLeak });
    // The same revision under other facts: one of both is the current one (E-9).
    for (const other of [...this.open.values()]) if (isSameRevision(other.preset, preset)) void this.retireOne(other);
    this.open.set(generationId(preset), generation);
    this.standing.add(generation);
    generation.mounted = this.mount(generation);
    generation.mounted.catch(() => {}); // those who wait are told; nobody may be left by then
    return generation;
  }

  private async mount(generation: Generation): Promise<void> {
    const failure = await generation.mount();
    if (failure === null) {
      this.failures.forget(generation.preset);
      return;
    }
    // One that was ended while it mounted says nothing about its revision.
    const error = generation.isEnding ? closing() : this.remember(generation, failure);
    await this.end(generation);
    throw error;
  }

  private remember(generation: Generation, { reasons, isFinal }: MountFailure): AppError {
    if (isFinal) return this.breakOne(generation, reasons);
    const { presetId, revision } = generation.preset;
    this.ctx.logger.warn({ presetId, revision, reasons }, "a preset did not start; it is tried again later");
    return this.failures.delay(generation.preset, reasons);
  }

  private breakOne(generation: Generation, reasons: readonly string[]): AppError {
    const { preset } = generation;
    generation.break(reasons);
    this.ctx.logger.error({ presetId: preset.presetId, revision: preset.revision, reasons }, "a preset is broken");
    this.options.onBroken(preset, reasons);
    return this.failures.breakForGood(preset, reasons);
  }

  /** Who joined may finish; nobody joins any more (G-9). */
  private breakLate(generation: Generation, reason: string): void {
    if (generation.isEnding || generation.reasons.includes(reason)) return;
    this.breakOne(generation, [...generation.reasons, reason]);
    void this.retireOne(generation); // never rejects
  }

  private async retireOne(generation: Generation): Promise<void> {
    generation.isRetired = true;
    await this.collect(generation);
  }

  private async collect(generation: Generation): Promise<void> {
    if (generation.isRetired && generation.users === 0) await this.end(generation);
  }

  private async end(generation: Generation): Promise<void> {
    const id = generationId(generation.preset);
    // A newer one of the same revision may stand there already.
    if (this.open.get(id) === generation) this.open.delete(id);
    await generation.end();
    this.standing.delete(generation);
  }

  /** Room for one more: the one that nobody used for longest goes. @throws AppError UNAVAILABLE when all are in use */
  private makeRoom(): void {
    const { generations } = this.options.limits;
    if (this.open.size < generations) return;
    const oldest = this.idle().toSorted((a, b) => a.idleSince - b.idleSince)[0];
    if (!oldest) {
      throw new AppError(
        "UNAVAILABLE",
        `${generations} preset revisions are in use at once, which is the limit. End sessions on other presets, or try again later.`,
      );
    }
    void this.end(oldest); // never rejects
  }

  private idle(): Generation[] {
    return [...this.open.values()].filter(({ users, state }) => users === 0 && state !== "mounting");
  }
}

function assertJoinable({ isEnding, state, preset, reasons }: Generation): void {
  if (state === "broken") throw brokenPreset(preset, reasons);
  if (isEnding) throw closing();
}

const closing = (): AppError =>
  new AppError("UNAVAILABLE", "The organisation's sessions are being moved, so no preset starts here. Try again in a moment.");

const isSameRevision = (a: PresetRef, b: PresetRef): boolean => a.presetId === b.presetId && a.revision === b.revision;
