import { type Agent, type OrgHost, OrgRoot } from "@gantry/agent";
import { type Composition, describeIssue, describeWarning, inForce, type ProviderRow } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import { readProviderSecret } from "@gantry/db";
import { type Env, type Logger, openSecret } from "@gantry/platform";
import { orgComposition } from "./org-composition.ts";

type AgentOptions = Parameters<OrgRoot["createAgent"]>[0];
type AgentPreset = Parameters<OrgRoot["createAgent"]>[1];
export type UsedRoot = {
  /** `preset`: the revision that the session is pinned to */
  createAgent(options: AgentOptions, preset: AgentPreset): Promise<Agent>;
  disposeAgent(agent: Agent): Promise<void>;
  release(): void;
};
type Entry = { composition: Composition; root: Promise<OrgRoot>; users: number };

/**
 * One kernel root per org and composition (M-1). A changed composition builds another; the old one serves its agents to the
 * end and closes when the last has left (M-14).
 */
export class OrgRoots {
  private readonly env: Env;
  private readonly log: Logger;
  private readonly entries = new Map<OrgId, Entry>();

  constructor(env: Env, log: Logger) {
    this.env = env;
    this.log = log;
  }

  /**
   * The root of what the org is composed of now; a broken composition leaves the last valid one (M-13).
   * @throws AppError COMPOSITION_INVALID when there is none, INTERNAL when it does not start
   */
  async use(orgId: OrgId, providers: readonly ProviderRow[]): Promise<UsedRoot> {
    const entry = this.entry(orgId, orgComposition(providers, this.env));
    entry.users += 1;
    try {
      const root = await entry.root;
      return {
        createAgent: (options, preset) => root.createAgent(options, preset),
        disposeAgent: (agent) => root.disposeAgent(agent),
        release: () => this.release(orgId, entry),
      };
    } catch (error) {
      if (this.entries.get(orgId) === entry) this.entries.delete(orgId);
      throw error;
    }
  }

  async close(): Promise<void> {
    const roots = [...this.entries.values()];
    this.entries.clear();
    await Promise.allSettled(roots.map(async ({ root }) => (await root).close()));
  }

  private entry(orgId: OrgId, candidate: Composition): Entry {
    const current = this.entries.get(orgId);
    const composition = inForce(candidate, current?.composition ?? null);
    if (composition !== candidate) {
      this.log.error(
        { orgId, problems: candidate.problems.map(describeIssue) },
        "the composition is broken; the last valid one stays in force",
      );
    }
    if (current?.composition.hash === composition.hash) return current;
    const { hash, warnings } = composition;
    this.log.info({ orgId, hash, warnings: warnings.map(describeWarning) }, "building an org root");
    const next: Entry = { composition, root: OrgRoot.build(this.host(orgId, composition)), users: 0 };
    this.entries.set(orgId, next);
    if (current?.users === 0) this.shut(current);
    return next;
  }

  private release(orgId: OrgId, entry: Entry): void {
    entry.users -= 1;
    if (entry.users === 0 && this.entries.get(orgId) !== entry) this.shut(entry);
  }

  private shut({ root }: Entry): void {
    root.then((built) => built.close()).catch((err: unknown) => this.log.error({ err }, "an org root did not close"));
  }

  private host(orgId: OrgId, { mounts }: Composition): OrgHost {
    const credentials = { resolve: (providerId: string) => readKey(orgId, providerId, this.env.GANTRY_MASTER_KEY) };
    return { orgId, logger: this.log.child({ orgId }), credentials, rows: mounts };
  }
}

async function readKey(orgId: OrgId, id: string, masterKey: Buffer): Promise<string | null> {
  const sealed = await readProviderSecret(orgId, id);
  return sealed ? openSecret(masterKey, { orgId, id }, sealed) : null;
}
