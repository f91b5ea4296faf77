import { createHash } from "node:crypto";
import { type Agent, type OrgHost, OrgRoot, type ProviderRow } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";
import { readProviderSecret } from "@gantry/db";
import { type Env, type Logger, openSecret } from "@gantry/platform";

type AgentOptions = Parameters<OrgRoot["createAgent"]>[0];
type AgentPreset = Parameters<OrgRoot["createAgent"]>[1];
export type UsedRoot = {
  /** `preset`: the revision that the session is pinned to */
  createAgent(options: AgentOptions, preset: AgentPreset): Promise<Agent>;
  disposeAgent(agent: Agent): Promise<void>;
  release(): void;
};
type Entry = { hash: string; root: Promise<OrgRoot>; users: number };

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

  /** @throws AppError INTERNAL when the composition does not start */
  async use(orgId: OrgId, providers: readonly ProviderRow[]): Promise<UsedRoot> {
    const hash = createHash("sha256").update(JSON.stringify(providers)).digest("hex");
    const entry = this.entry(orgId, hash, providers);
    entry.users += 1;
    try {
      const root = await entry.root;
      return {
        createAgent: (options, preset) => root.createAgent(options, preset),
        disposeAgent: (agent) => root.disposeAgent(agent),
        release: () => this.release(orgId, entry),
      };
    } catch (error) {
      this.entries.delete(orgId);
      throw error;
    }
  }

  async close(): Promise<void> {
    const roots = [...this.entries.values()];
    this.entries.clear();
    await Promise.allSettled(roots.map(async ({ root }) => (await root).close()));
  }

  private entry(orgId: OrgId, hash: string, providers: readonly ProviderRow[]): Entry {
    const current = this.entries.get(orgId);
    if (current?.hash === hash) return current;
    const next: Entry = { hash, root: OrgRoot.build(this.host(orgId, providers)), users: 0 };
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

  private host(orgId: OrgId, providers: readonly ProviderRow[]): OrgHost {
    const { GANTRY_MASTER_KEY: key, GANTRY_ALLOW_PRIVATE_HOSTS: allowInsecureProviders } = this.env;
    const credentials = { resolve: (providerId: string) => readKey(orgId, providerId, key) };
    return { orgId, logger: this.log.child({ orgId }), credentials, providers, allowInsecureProviders };
  }
}

async function readKey(orgId: OrgId, id: string, masterKey: Buffer): Promise<string | null> {
  const sealed = await readProviderSecret(orgId, id);
  return sealed ? openSecret(masterKey, { orgId, id }, sealed) : null;
}
