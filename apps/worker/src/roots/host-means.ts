import type { HostParts, SettingsStore } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";
import { readProviderSecret } from "@gantry/db";
import { type Env, type Logger, objectStore, openSecret } from "@gantry/platform";
import { attachmentMeans } from "./attachment-means.ts";

/** Makes what an org's root is given, bound to the org (M-2). */
export type HostMeans = (orgId: OrgId, settings: SettingsStore) => HostParts;

export const hostMeans =
  (env: Pick<Env, "GANTRY_MASTER_KEY" | "GANTRY_DATA_DIR">, log: Logger, onMismatch: () => void): HostMeans =>
  (orgId, settings) => ({
    logger: log.child({ orgId }),
    credentials: { resolve: (providerId: string) => readKey(orgId, providerId, env.GANTRY_MASTER_KEY) },
    settings,
    attachments: attachmentMeans(orgId, objectStore(env)),
    onMismatch,
  });

async function readKey(orgId: OrgId, id: string, masterKey: Buffer): Promise<string | null> {
  const sealed = await readProviderSecret(orgId, id);
  return sealed ? openSecret(masterKey, { orgId, id }, sealed) : null;
}
