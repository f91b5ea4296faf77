import type { OrgId } from "@gantry/contracts";
import type { KernelLogger } from "@gantry/kernel";
import type { Credentials } from "@gantry/llm";
import type { AttachmentStore } from "../attachments/store.ts";
import type { SettingsStore } from "../settings/store.ts";
import { guarded, guardedLogger, type OnMismatch } from "./tripwire.ts";

/** The worker's own means for one org, each with the org bound inside. */
export type HostParts = {
  /** writes lines that name the org (M-8) */
  readonly logger: KernelLogger;
  readonly credentials: Credentials;
  readonly settings: SettingsStore;
  readonly attachments: AttachmentStore;
  readonly onMismatch: OnMismatch;
};
/** All that an org's root gets from the process: no pool, client or key of the worker is reachable from it (M-2, M-3). */
export type HostCapabilities = {
  readonly orgId: OrgId;
  readonly logger: KernelLogger;
  readonly credentials: Credentials;
  readonly settings: SettingsStore;
  readonly attachments: AttachmentStore;
};

/**
 * The host capabilities of an org: frozen, bound to it, and refusing to work inside another org's work ({@link runForOrg}) with
 * TENANT_MISMATCH (M-2, M-10). A tripwire; the boundary is that an org's root holds nothing but these.
 */
export function hostFor(orgId: OrgId, { logger, credentials, settings, attachments, onMismatch }: HostParts): HostCapabilities {
  const wire = { orgId, logger, onMismatch };
  return Object.freeze({
    orgId,
    logger: guardedLogger(wire),
    credentials: guarded(wire, "credentials", credentials),
    settings: guarded(wire, "settings", settings),
    attachments: guarded(wire, "attachments", attachments),
  });
}
