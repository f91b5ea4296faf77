import type { HostParts, SettingsStore } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";
import { type Env, type Logger, objectStore } from "@gantry/platform";
import { attachmentMeans } from "./attachment-means.ts";
import type { OrgSecrets } from "./org-secrets.ts";
import type { VariantCache } from "./variant-cache.ts";

/** Makes what an org's root is given, bound to the org (M-2, REC-20). */
export type HostMeans = (orgId: OrgId, settings: SettingsStore) => HostParts;

type Shared = { readonly log: Logger; readonly secrets: OrgSecrets; readonly variants: VariantCache; readonly onMismatch: () => void };

export const hostMeans =
  (env: Pick<Env, "GANTRY_DATA_DIR">, { log, secrets, variants, onMismatch }: Shared): HostMeans =>
  (orgId, settings) => ({
    logger: log.child({ orgId }),
    credentials: { resolve: (id: string, baseUrl: string) => secrets.key(orgId, { id, baseUrl }) },
    settings,
    attachments: attachmentMeans(orgId, objectStore(env), variants),
    onMismatch,
  });
