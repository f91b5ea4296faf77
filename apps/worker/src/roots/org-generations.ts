import { createSettingsStore, hostFor, type OrgHost, type OrgRoot, runForOrg } from "@gantry/agent";
import { describeWarning, inForce } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { Logger } from "@gantry/platform";
import type { Budgets } from "./budgets.ts";
import type { HostMeans } from "./host-means.ts";
import { type RootBasis, RootGeneration, type Verdict } from "./root-generation.ts";

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
type Candidate = RootBasis & { readonly previous: () => Promise<RootBasis | null> };
type Chosen = { readonly generation: RootGeneration; readonly verdict: Verdict };
/** What did not start, and what serves for it meanwhile. */
type Failed = { readonly of: RootBasis; readonly until: number; readonly instead: RootGeneration; readonly problem: string };
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
  private failed: Failed | null = null;
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
   * The root for a new session. When its composition has a problem or does not start, one on the same layers goes on, for then only the providers
   * changed; else what is stored as the one before. Never what happens to stand here: it may have been withdrawn (M-13).
   * @param readAt when the candidate was read, by `performance.now()`: an earlier reading does not replace a later one
   * @returns null once these roots were closed: the org may have others by now
   * @throws AppError COMPOSITION_INVALID, INTERNAL or UNAVAILABLE with the reason when there is no such root
   */
  async serving(candidate: Candidate, readAt: number): Promise<Chosen | null> {
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

  private async choose(candidate: Candidate, readAt: number): Promise<Chosen> {
    const { current, failed } = this;
    const isValid = candidate.composition.problems.length === 0; // what cannot be read is left out, so a broken one may look like another
    if (current && isValid && isSame(current.of, candidate)) return { generation: current, verdict: { problem: null } };
    if (current && readAt < this.readAt) return { generation: current, verdict: null };
    if (failed && isRepeat(failed, candidate) && failed.instead === current && performance.now() < failed.until)
      return { generation: current, verdict: { problem: failed.problem } };
    try {
      inForce(candidate.composition, null);
      return { generation: await this.build(candidate, readAt), verdict: { problem: null } };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const instead = await this.insteadOf(candidate, readAt);
      if (!instead) throw error;
      this.failed = { of: candidate, until: performance.now() + this.options.budgets.retryMs, instead, problem };
      this.report(problem);
      return { generation: instead, verdict: { problem } };
    }
  }

  private async insteadOf({ stored, previous }: Candidate, readAt: number): Promise<RootGeneration | null> {
    if (this.current?.of.stored === stored && !this.current.isClosed) return this.current;
    const earlier = await previous();
    if (!earlier || earlier.composition.problems.length > 0) return null;
    if (this.current && isSame(this.current.of, earlier) && !this.current.isClosed) return this.current;
    return await this.build(earlier, readAt).catch((err: unknown) => {
      this.options.log.error({ err }, "the composition before does not start either");
      return null;
    });
  }

  private build(of: RootBasis, readAt: number): Promise<RootGeneration> {
    const { hash } = of.composition;
    if (this.building?.hash === hash) return this.building.done; // M-13: one at a time for all who wait
    const before = this.building?.done.catch(() => {}); // one after the other, so that the last asked for is the last to be current
    const build: Build = { hash, done: this.start(of, readAt, before) };
    this.building = build;
    const end = () => {
      if (this.building === build) this.building = null;
    };
    build.done.then(end, end);
    return build.done;
  }

  private async start(of: RootBasis, readAt: number, before: Promise<unknown> | undefined): Promise<RootGeneration> {
    await before;
    const { orgId, log, budgets, build, onTaint } = this.options;
    const { composition } = of;
    const { hash, warnings } = composition;
    log.info({ hash, warnings: warnings.map(describeWarning) }, "building an org root");
    const host = { ...hostFor(orgId, this.options.means(orgId, this.settings.store)), rows: composition.mounts, onTaint };
    const root = await runForOrg(orgId, () => build(host));
    const onClosed = () => this.forget(generation);
    const generation: RootGeneration = new RootGeneration({ orgId, of, root, log }, { budgets, onClosed });
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

  private report(problem: string): void {
    this.options.onFallback();
    this.options.log.error({ alarm: "composition_fallback", problem }, "a composition is not in use; an earlier one serves");
  }
}

/** The same layers with the same history, so that the same may stand in. */
const isRepeat = ({ of }: Failed, candidate: Candidate): boolean => of.stored === candidate.stored && isSame(of, candidate);
/** One root can serve both, where neither has a problem. */
const isSame = (a: RootBasis, b: RootBasis): boolean => a.composition.hash === b.composition.hash;
