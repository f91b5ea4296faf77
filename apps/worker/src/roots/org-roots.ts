import { type OrgHost, OrgRoot, runForOrg } from "@gantry/agent";
import { AppError, type OrgId } from "@gantry/contracts";
import type { StoredSetting } from "@gantry/db";
import type { Env, Logger } from "@gantry/platform";
import { type Budgets, budgets as usual } from "./budgets.ts";
import { hostMeans } from "./host-means.ts";
import { OrgGenerations } from "./org-generations.ts";
import { OrgSecrets } from "./org-secrets.ts";
import type { RootBasis, UsedRoot } from "./root-generation.ts";
import { VariantCache } from "./variant-cache.ts";

/** What a session needs of its org: what it is composed of now, and the settings stored for it. */
export type Serving = RootBasis & {
  readonly settings: readonly StoredSetting[];
  /** what may serve when that does not start; null: nothing */
  readonly previous: () => Promise<RootBasis | null>;
};
/** What the roots of this worker tell operators. */
export type RootCounts = { roots: number; draining: number; tenantMismatches: number; fallbacks: number };
type Options = {
  readonly budgets?: Partial<Budgets>;
  /** told once; nothing of this worker may be used for new sessions from then on (13.5) */
  readonly onTaint?: (reason: string) => void;
  readonly build?: (host: OrgHost) => Promise<OrgRoot>;
};

/** The roots of a worker: per org, one for each composition that has sessions (M-1). Reached by whoever holds sessions, never by a root (M-3). */
export class OrgRoots {
  private readonly env: Env;
  private readonly log: Logger;
  private readonly budgets: Budgets;
  private readonly onTaint: ((reason: string) => void) | undefined;
  private readonly build: (host: OrgHost) => Promise<OrgRoot>;
  private readonly orgs = new Map<OrgId, OrgGenerations>();
  readonly secrets: OrgSecrets;
  private readonly variants: VariantCache;
  private readonly timer: NodeJS.Timeout;
  private tenantMismatches = 0;
  private fallbacks = 0;
  /** why this worker takes no more work, or null (13.5) */
  taint: string | null = null;

  constructor(env: Env, log: Logger, { budgets, onTaint, build = (host) => OrgRoot.build(host) }: Options = {}) {
    this.env = env;
    this.log = log;
    this.budgets = { ...usual, ...budgets };
    this.onTaint = onTaint;
    this.build = build;
    this.secrets = new OrgSecrets(env);
    this.variants = new VariantCache(this.budgets.variantBytes);
    const look = () => void this.evictIdle().catch((err: unknown) => log.error({ err }, "idle roots were not evicted"));
    this.timer = setInterval(look, this.budgets.sweepMs).unref();
  }

  /**
   * The root of what the org is composed of now, for one session; the caller runs inside the org's context.
   * @param readAt when they were read, by `performance.now()`
   * @throws AppError COMPOSITION_INVALID or INTERNAL when nothing of the org can start; UNAVAILABLE when this worker is full or tainted
   */
  async use(orgId: OrgId, serving: Serving, readAt = performance.now()): Promise<UsedRoot> {
    if (this.taint !== null) throw new AppError("UNAVAILABLE", "This worker is being replaced. Another takes the session.");
    return await runForOrg(orgId, async () => {
      for (;;) {
        const org = this.org(orgId);
        org.settings.refresh(serving.settings.filter(({ level }) => level === "org"));
        const chosen = await org.serving(serving, readAt);
        if (chosen && !chosen.generation.isClosed) return chosen.generation.enter(chosen.verdict);
      }
    });
  }

  /** Ends the sessions of an org that may run no longer and closes its roots, without draining (M-15). */
  async closeOrg(orgId: OrgId): Promise<void> {
    const org = this.orgs.get(orgId);
    this.orgs.delete(orgId);
    this.forget(orgId);
    await org?.revoke();
  }

  /** Closes the orgs that are not among those that exist. */
  async closeAllBut(existing: readonly OrgId[]): Promise<void> {
    const known = new Set(existing);
    const gone = [...this.orgs.keys()].filter((orgId) => !known.has(orgId));
    for (const orgId of gone) this.log.warn({ orgId }, "the org is gone; its sessions end");
    await Promise.all(gone.map((orgId) => this.closeOrg(orgId)));
  }

  /** Closes roots, and generations of presets, that nobody has used for long (M-16, G-18). */
  async evictIdle(now = performance.now()): Promise<void> {
    const { rootIdleMs, generationIdleMs } = this.budgets;
    for (const [orgId, org] of this.orgs) {
      const since = org.unusedSince;
      if (since !== null && now - since >= rootIdleMs) await this.drop(orgId, org);
      else for (const generation of org.generations) await generation.evictPresets(generationIdleMs);
    }
  }

  counts(): RootCounts {
    const all = [...this.orgs.values()].flatMap((org) => org.generations);
    const draining = all.filter((generation) => generation.isDraining).length;
    return { roots: all.length, draining, tenantMismatches: this.tenantMismatches, fallbacks: this.fallbacks };
  }

  /** What stands in an org's roots now, for diagnostics (F-4). Plain data. */
  look(orgId: OrgId): ReturnType<OrgRoot["inspect"]>[] {
    return (this.orgs.get(orgId)?.generations ?? []).map((generation) => generation.inspect());
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const orgs = [...this.orgs.values()];
    this.orgs.clear();
    await Promise.all(orgs.map((org) => org.close()));
  }

  private org(orgId: OrgId): OrgGenerations {
    const known = this.orgs.get(orgId);
    if (known) return known;
    this.makeRoom();
    const onMismatch = () => {
      this.tenantMismatches += 1;
    };
    const onFallback = () => {
      this.fallbacks += 1;
    };
    const means = hostMeans(this.env, { log: this.log, secrets: this.secrets, variants: this.variants, onMismatch });
    const onTaint = (reason: string) => this.setTaint(reason);
    const { budgets, build } = this;
    const made = new OrgGenerations({ orgId, log: this.log.child({ orgId }), means, budgets, build, onTaint, onFallback });
    this.orgs.set(orgId, made);
    return made;
  }

  /** @throws AppError UNAVAILABLE when every root is in use */
  private makeRoom(): void {
    if (this.counts().roots < this.budgets.roots) return;
    const unused = [...this.orgs].flatMap(([orgId, org]) => (org.unusedSince === null ? [] : [{ orgId, org, since: org.unusedSince }]));
    const oldest = unused.toSorted((a, b) => a.since - b.since)[0];
    if (!oldest) throw new AppError("UNAVAILABLE", "This worker serves as many organisations as it may. Another takes the session.");
    void this.drop(oldest.orgId, oldest.org);
  }

  private async drop(orgId: OrgId, org: OrgGenerations): Promise<void> {
    this.orgs.delete(orgId);
    this.forget(orgId);
    await org.close();
  }

  private forget(orgId: OrgId): void {
    this.variants.forget(orgId);
    this.secrets.forget(orgId);
  }

  private setTaint(reason: string): void {
    if (this.taint !== null) return;
    this.taint = reason;
    this.onTaint?.(reason);
  }
}
