import type { HostParts, SettingsStore } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";
import { type Env, type Logger, objectStore } from "@gantry/platform";
import { readKey } from "../known-secrets.ts";
import { attachmentMeans } from "./attachment-means.ts";
import type { VariantCache } from "./variant-cache.ts";

/** Makes what an org's root is given, bound to the org (M-2, REC-20). */
export type HostMeans = (orgId: OrgId, settings: SettingsStore) => HostParts;

type Shared = { readonly log: Logger; readonly variants: VariantCache; readonly onMismatch: () => void };

export const hostMeans =
  (env: Pick<Env, "GANTRY_MASTER_KEY" | "GANTRY_DATA_DIR">, { log, variants, onMismatch }: Shared): HostMeans =>
  (orgId, settings) => ({
    logger: log.child({ orgId }),
    credentials: { resolve: (id: string, baseUrl: string) => readKey(orgId, { id, baseUrl }, env.GANTRY_MASTER_KEY) },
    settings,
    attachments: attachmentMeans(orgId, objectStore(env), variants),
    onMismatch,
  });
