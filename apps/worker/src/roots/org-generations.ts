import { createSettingsStore, hostFor, type OrgHost, type OrgRoot, runForOrg } from "@gantry/agent";
import { type Composition, describeIssue, describeWarning, inForce } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { Logger } from "@gantry/platform";
import type { Budgets } from "./budgets.ts";
import type { HostMeans } from "./host-means.ts";
import { RootGeneration } from "./root-generation.ts";

type Options = {
  readonly orgId: OrgId;
  readonly log: Logger;
  readonly means: HostMeans;
  readonly budgets: Budgets;
  readonly build: (host: OrgHost) => Promise<OrgRoot>;
  readonly onTaint: (reason: string) => void;
  /** a composition was left aside for an earlier one (M-13) */
  readonly onFallback: () => void;
};
type Build = { readonly hash: string; readonly done: Promise<RootGeneration> };

/** The roots of one org in this worker: the one that new sessions get, and those that end with their sessions. */
export class OrgGenerations {
  readonly settings = createSettingsStore();
  private readonly options: Options;
  private readonly all = new Set<RootGeneration>();
  private current: RootGeneration | null = null;
  /** when the composition of `current` was read */
  private readAt = 0;
  private building: Build | null = null;
  private failed: { hash: string; until: number } | null = null;
  private isEnded = false;

  constructor(options: Options) {
    this.options = options;
  }

  get generations(): readonly RootGeneration[] {
    return [...this.all];
  }
  /** since when no session uses any of its roots; null while one does or one is being built */
  get unusedSince(): number | null {
    if (this.building) return null;
    const each = this.generations.map((generation) => generation.unusedSince);
    return each.includes(null) ? null : Math.max(0, ...each.map(Number));
  }

  /**
   * The root for a new session. A composition with a problem, or one that does not start, leaves the root that serves the org already (M-13).
   * @param readAt when the candidate was read, by `performance.now()`: an earlier reading does not replace a later one
   * @returns null once these roots were closed: the org may have others by now
   * @throws AppError COMPOSITION_INVALID, INTERNAL or UNAVAILABLE with the reason when there is no such root
   */
  async serving(candidate: Composition, readAt: number): Promise<RootGeneration | null> {
    return this.isEnded ? null : await this.choose(candidate, readAt);
  }

  revoke(): Promise<void> {
    return this.end((generation) => generation.revoke());
  }
  close(): Promise<void> {
    return this.end((generation) => generation.close());
  }

  private async end(how: (generation: RootGeneration) => Promise<void>): Promise<void> {
    this.isEnded = true;
    this.current = null;
    await this.building?.done.catch(() => {}); // told to whoever asked for it
    await Promise.all(this.generations.map(how));
  }

  private async choose(candidate: Composition, readAt: number): Promise<RootGeneration> {
    const { current, failed } = this;
    const composition = inForce(candidate, current?.composition ?? null);
    if (composition !== candidate) this.report("the composition is broken", candidate.problems.map(describeIssue));
    if (current && (current.composition.hash === composition.hash || readAt < this.readAt)) return current;
    if (current && failed?.hash === composition.hash && performance.now() < failed.until) return current;
    try {
      return await this.build(composition, readAt);
    } catch (error) {
      this.failed = { hash: composition.hash, until: performance.now() + this.options.budgets.retryMs };
      if (!this.current || this.current.isClosed) throw error;
      this.report("the composition does not start", [error instanceof Error ? error.message : String(error)]);
      return this.current;
    }
  }

  private build(composition: Composition, readAt: number): Promise<RootGeneration> {
    if (this.building?.hash === composition.hash) return this.building.done; // M-13: one at a time for all who wait
    const before = this.building?.done.catch(() => {}); // one after the other, so that the last asked for is the last to be current
    const build: Build = { hash: composition.hash, done: this.start(composition, readAt, before) };
    this.building = build;
    const end = () => {
      if (this.building === build) this.building = null;
    };
    build.done.then(end, end);
    return build.done;
  }

  private async start(composition: Composition, readAt: number, before: Promise<unknown> | undefined): Promise<RootGeneration> {
    await before;
    const { orgId, log, budgets, build, onTaint } = this.options;
    const { hash, warnings } = composition;
    log.info({ hash, warnings: warnings.map(describeWarning) }, "building an org root");
    const host = { ...hostFor(orgId, this.options.means(orgId, this.settings.store)), rows: composition.mounts, onTaint };
    const root = await runForOrg(orgId, () => build(host));
    const onClosed = () => this.forget(generation);
    const generation: RootGeneration = new RootGeneration({ orgId, composition, root, log }, { budgets, onClosed });
    this.all.add(generation);
    this.failed = null;
    this.current?.retire();
    if (!this.isEnded) this.current = generation;
    this.readAt = readAt;
    return generation;
  }

  private forget(generation: RootGeneration): void {
    this.all.delete(generation);
    if (this.current === generation) this.current = null;
  }

  private report(what: string, problems: readonly string[]): void {
    this.options.onFallback();
    this.options.log.error({ alarm: "composition_fallback", problems }, `${what}; the last valid one stays in force`);
  }
}
