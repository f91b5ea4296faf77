import { type Context, createScope, onServiceProvided, type ProvidedService, quiesce, type Scope } from "@gantry/kernel";
import { describeCause, isTransient } from "../root/causes.ts";
import type { RootLimits } from "../root/limits.ts";
import { describeFault, type MountFault, mountRows, type Plugins } from "../root/mount-rows.ts";
import type { PresetRef } from "./preset-ref.ts";

export type GenerationOptions = {
  readonly plugins: Plugins;
  readonly limits: RootLimits;
  /** told when a service is provided in the root's realm after the mount */
  readonly onLateLeak: (generation: Generation, reason: string) => void;
};

/** Why the rows are not in use, and whether that is the definition's fault, so that no other attempt can help (G-7). */
export type MountFailure = { readonly reasons: readonly string[]; readonly isFinal: boolean };

/** One mounted revision of a preset in one org root: a scope of its own, shared by the agents that joined (G-6, G-14); orgs share definitions only (M-9). */
export class Generation {
  readonly preset: PresetRef;
  /** agents that joined or are about to */
  users = 0;
  isRetired = false;
  state: "mounting" | "live" | "broken" = "mounting";
  /** why it is broken */
  reasons: readonly string[] = [];
  /** when the last user left, in milliseconds of the clock */
  idleSince = Date.now();
  /** settles when the rows are in use; rejects with what those who wait for it are told */
  mounted: Promise<void> = Promise.resolve();
  private readonly scope: Scope;
  private readonly options: GenerationOptions;
  private readonly leaks: string[] = [];
  private ending: Promise<void> | undefined;

  /** @throws INACTIVE_EFFECT, ROOT_SEALED when the owner takes nothing more */
  constructor(owner: Context, preset: PresetRef, options: GenerationOptions) {
    this.preset = preset;
    this.options = options;
    this.scope = createScope(owner, {});
    // From before the first row, so that no service comes up unseen (G-9).
    onServiceProvided(this.scope.ctx, this.scope.handle, (service) => this.checkRealm(service));
  }

  get key(): object {
    return this.scope.key;
  }
  get handle(): Scope["handle"] {
    return this.scope.handle;
  }
  get isEnding(): boolean {
    return this.ending !== undefined;
  }

  /** Rows, audit, leak check (G-7). Null when all is up; else what did come up stays for the caller to end. Never throws. */
  async mount(): Promise<MountFailure | null> {
    const { plugins, limits } = this.options;
    try {
      const faults = await mountRows(this.scope.ctx, this.preset.mounts, { plugins, deadlineMs: limits.generationMountMs });
      const reasons = [...faults.map(describeFault), ...this.leaks];
      if (reasons.length > 0) return { reasons, isFinal: this.leaks.length > 0 || !isPassing(faults) };
      this.state = "live";
      return null;
    } catch (error) {
      return { reasons: [describeCause(error)], isFinal: !isTransient(error) };
    }
  }

  break(reasons: readonly string[]): void {
    this.state = "broken";
    this.reasons = reasons;
  }

  /** Undoes all of it; callers share one end. What does not come to rest has tainted the root, which the host is told (13.5). */
  end(): Promise<void> {
    this.ending ??= quiesce(this.scope.handle, this.options.limits.restMs).catch(() => {});
    return this.ending;
  }

  /** What a preset provides has to be in a realm of its own (PRE-2). */
  private checkRealm({ name, provider, row, isPrivate }: ProvidedService): void {
    if (isPrivate) return;
    const reason = `${row ?? provider}: the service "${name}" is not private to the preset; isolate it in its row or group`;
    if (this.state === "mounting") this.leaks.push(reason);
    else this.options.onLateLeak(this, reason);
  }
}

/** A row that waits is a consequence where another failed for a passing cause. */
const isPassing = (faults: readonly MountFault[]): boolean =>
  faults.every(({ kind }) => kind !== "definition") && faults.some(({ kind }) => kind === "transient");
