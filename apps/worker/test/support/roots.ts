import { tmpdir } from "node:os";
import type { AgentOptions, PresetRef } from "@gantry/agent";
import { composePreset, type ProviderRow, platformPresets } from "@gantry/compose";
import { AppError, type OrgId, type ProviderId, type SessionId, type UserId } from "@gantry/contracts";
import { type Env, newId } from "@gantry/platform";
import { type OrgParts, orgComposition } from "../../src/org-composition.ts";
import { OrgRoots, type Serving } from "../../src/roots/org-roots.ts";
import { captureLog, type Line } from "./capture-log.ts";

type Options = ConstructorParameters<typeof OrgRoots>[2];

const env = { GANTRY_ALLOW_PRIVATE_HOSTS: false, GANTRY_MASTER_KEY: Buffer.alloc(32), GANTRY_DATA_DIR: tmpdir() } as Env;

/** Roots whose log lines the test reads. */
export function openRoots(options: Options = {}) {
  const lines: Line[] = [];
  const log = captureLog(lines);
  const built = () => lines.filter(({ text }) => text === "building an org root").length;
  return { roots: new OrgRoots(env, log, options), lines, built };
}

export const provider = (change: Partial<ProviderRow> = {}): ProviderRow => ({
  id: newId<ProviderId>(),
  slug: "acme",
  kind: "openai_compatible",
  baseUrl: "https://models.example",
  models: ["m"],
  ...change,
});

/** What an org has stored. */
export function parts({ settings = [], previous, ...change }: Partial<OrgParts & Pick<Serving, "settings"> & Before> = {}): Serving {
  const org: OrgParts = { providers: [], layers: [], plan: { tier: "free", seats: 5, flags: {} }, ...change };
  const { layers, plan } = org;
  const stored = JSON.stringify([layers, plan, previous?.stored]);
  return { composition: orgComposition(org, env), stored, settings, previous: async () => previous ?? null };
}
/** What was in force before. */
type Before = { readonly previous: Serving };

/** The org's own layer of a revision. */
export const orgLayer = (source: string, revision = 1): OrgParts["layers"] => [{ kind: "org", revision, bundles: [], source }];

/** A shipped preset, ready to mount. */
export function presetRef(slug = "standard"): PresetRef {
  const shipped = platformPresets.find((preset) => preset.slug === slug);
  if (!shipped) throw new Error(`no preset ${slug}`);
  const { revision, rows } = shipped;
  const { hash, mounts } = composePreset({ slug, revision, rows, facts: {} });
  return { presetId: `id of ${slug}`, slug, revision, hash, mounts };
}

export const agentOptions = (orgId: OrgId): AgentOptions => ({
  orgId,
  sessionId: newId<SessionId>(),
  userId: newId<UserId>(),
  epoch: 1,
  events: [],
  route: { provider: "acme", model: "m" },
  mode: "workspace-write",
  write: async () => {},
  publish: () => {},
  openWorld: () => Promise.reject(new AppError("ENGINE_DOWN", "This test has no container engine.")),
});
