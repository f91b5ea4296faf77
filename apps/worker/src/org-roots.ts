import { createHash } from "node:crypto";
import { type Agent, type OrgHost, OrgRoot, type ProviderRow, Row } from "@gantry/agent";
import type { OrgId, ProviderId } from "@gantry/contracts";
import { AppError } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { type Env, type Logger, openSecret } from "@gantry/platform";

type AgentOptions = Parameters<OrgRoot["createAgent"]>[0];
export type UsedRoot = {
  /** @param presetId revision pinned by the session */
  createAgent(options: AgentOptions): Promise<Agent>;
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
  async use(orgId: OrgId): Promise<UsedRoot> {
    const providers = await readProviders(orgId);
    const hash = createHash("sha256").update(JSON.stringify(providers)).digest("hex");
    const entry = this.entry(orgId, hash, providers);
    entry.users += 1;
    try {
      const root = await entry.root;
      return {
        createAgent: async (options) => root.createAgent(options, await readPreset(options)),
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

  private entry(orgId: OrgId, hash: string, providers: ProviderRow[]): Entry {
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

  private host(orgId: OrgId, providers: ProviderRow[]): OrgHost {
    const { GANTRY_MASTER_KEY: key, GANTRY_ALLOW_PRIVATE_HOSTS: allowInsecureProviders } = this.env;
    const credentials = { resolve: (providerId: string) => readKey(orgId, providerId, key) };
    return { orgId, logger: this.log.child({ orgId }), credentials, providers, allowInsecureProviders };
  }
}

async function readProviders(orgId: OrgId): Promise<ProviderRow[]> {
  const select = { id: true, slug: true, kind: true, baseUrl: true, models: true } as const;
  const rows = await withOrg(orgId, (tx) => tx.provider.findMany({ where: { orgId }, select, orderBy: { slug: "asc" } }));
  return rows.map((row) => ({ ...row, id: row.id as ProviderId }));
}

async function readKey(orgId: OrgId, id: string, masterKey: Buffer): Promise<string | null> {
  const row = await withOrg(orgId, (tx) => tx.provider.findUnique({ where: { orgId_id: { orgId, id } }, select: { secret: true } }));
  return row?.secret ? openSecret(masterKey, { orgId, id }, Buffer.from(row.secret)) : null;
}

/** The preset revision that a session is pinned to (G-19): the org's own or the platform's. */
async function readPreset(options: AgentOptions): Promise<{ key: string; rows: Row[] }> {
  const { orgId, sessionId } = options;
  return withOrg(orgId, async (tx) => {
    const pin = { presetId: true, presetRevision: true } as const;
    const session = await tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } }, select: pin });
    const where = { id_revision: { id: session.presetId, revision: session.presetRevision } };
    const preset = await tx.preset.findUnique({ where, select: { rows: true, hash: true } });
    if (!preset) throw new AppError("NOT_FOUND", "The preset revision of this session does not exist any more.");
    return { key: preset.hash, rows: Row.array().parse(preset.rows) as Row[] };
  });
}
