import { type Agent, type AgentOptions, type OrgRoot, type PresetRef, runForOrg } from "@gantry/agent";
import type { Composition } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { Logger } from "@gantry/platform";
import type { Budgets } from "./budgets.ts";

/** What is known now of the composition that was asked for: it starts, or why not and an earlier one serves; null: nothing new. */
export type Verdict = { readonly problem: string | null } | null;
/** A root while a session uses it. */
export type UsedRoot = {
  /** what it mounts */
  readonly composition: Composition;
  readonly verdict: Verdict;
  createAgent(options: AgentOptions, preset: PresetRef): Promise<Agent>;
  switchPreset(agent: Agent, preset: PresetRef, options?: { force?: boolean }): Promise<void>;
  retirePresets(keep: (presetId: string, revision: number) => boolean): Promise<void>;
  disposeAgent(agent: Agent): Promise<void>;
  /** aborts when the session is to go to the org's newer root at its next turn boundary (M-14) */
  readonly outdated: AbortSignal;
  /** aborts when the session has to end now (M-15) */
  readonly revoked: AbortSignal;
  release(): void;
};
/** `stored` names the layers and the plan: two of the same differ in nothing but providers. */
export type RootBasis = { readonly composition: Composition; readonly stored: string };
type Making = { readonly orgId: OrgId; readonly log: Logger; readonly of: RootBasis; readonly root: OrgRoot };
type Hooks = { readonly budgets: Budgets; readonly onClosed: () => void };

/** One kernel root of an org, on one composition, from its first use until its last (13.4). */
export class RootGeneration {
  readonly of: RootBasis;
  private readonly orgId: OrgId;
  private readonly root: OrgRoot;
  private readonly log: Logger;
  private readonly hooks: Hooks;
  private readonly outdated = new AbortController();
  private readonly revoked = new AbortController();
  private users = 0;
  private idleSince = performance.now();
  private drain: NodeJS.Timeout | null = null;
  private closed: Promise<void> | null = null;
  private emptied = Promise.withResolvers<void>();

  constructor({ orgId, of, root, log }: Making, hooks: Hooks) {
    this.orgId = orgId;
    this.of = of;
    this.root = root;
    this.log = log;
    this.hooks = hooks;
  }

  get isClosed(): boolean {
    return this.closed !== null;
  }
  get isDraining(): boolean {
    return this.drain !== null;
  }
  /** since when nobody uses it, or null */
  get unusedSince(): number | null {
    return this.users === 0 ? this.idleSince : null;
  }

  enter(verdict: Verdict): UsedRoot {
    if (this.users === 0) this.emptied = Promise.withResolvers<void>();
    this.users += 1;
    const { root } = this;
    let isReleased = false;
    return {
      composition: this.of.composition,
      verdict,
      createAgent: (options, preset) => root.createAgent(options, preset),
      switchPreset: (agent, preset, options) => root.switchPreset(agent, preset, options),
      retirePresets: (keep) => root.retirePresets(keep),
      disposeAgent: (agent) => root.disposeAgent(agent),
      outdated: this.outdated.signal,
      revoked: this.revoked.signal,
      release: () => {
        if (!isReleased) this.leave();
        isReleased = true;
      },
    };
  }

  /** The org has a newer root: no new session comes here, and this closes with its last one (M-14). */
  retire(): void {
    if (this.users === 0) void this.close();
    else this.drain ??= setTimeout(() => this.outdated.abort(), this.hooks.budgets.drainMs).unref();
  }

  /** Sessions end at their next tool boundary, then this closes, with them or without (M-15). */
  async revoke(): Promise<void> {
    this.revoked.abort();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, this.hooks.budgets.closeMs);
    if (this.users > 0) await Promise.race([this.emptied.promise, limit.promise]);
    clearTimeout(timer);
    await this.close();
  }

  inspect(): ReturnType<OrgRoot["inspect"]> {
    return this.root.inspect();
  }

  async evictPresets(idleMs: number): Promise<void> {
    if (this.closed === null) await runForOrg(this.orgId, async () => this.root.evictIdle(idleMs));
  }

  /** Closes the root for good; never throws. Calls share one end. */
  close(): Promise<void> {
    this.closed ??= this.shut();
    return this.closed;
  }

  private leave(): void {
    this.users -= 1;
    if (this.users > 0) return;
    this.idleSince = performance.now();
    this.emptied.resolve();
    if (this.isDraining) void this.close();
  }

  private async shut(): Promise<void> {
    if (this.drain) clearTimeout(this.drain);
    try {
      await runForOrg(this.orgId, () => this.root.close());
    } catch (err) {
      this.log.error({ err }, "an org root did not close");
    }
    this.hooks.onClosed();
  }
}
