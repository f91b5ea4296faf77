import type { MountRow } from "@gantry/compose";
import { AppError, type OrgId } from "@gantry/contracts";
import { audit, type Context, describeAudit, type KernelLogger, mount, type Root } from "@gantry/kernel";
import type { Credentials } from "@gantry/llm";
import { type AttachmentStore, noAttachments } from "../attachments/store.ts";
import { type PresetHost, presetHost } from "../presets/host.ts";
import type { PresetRef } from "../presets/preset-ref.ts";
import { createSettingsStore, type SettingsStore } from "../settings/store.ts";
import type { RootLimits } from "./limits.ts";
import { describeFault, mountRows, type Plugins } from "./mount-rows.ts";

/** What an org's root is given: all bound to the org before a plugin sees it (M-2). */
export type OrgHost = {
  orgId: OrgId;
  logger: KernelLogger;
  credentials: Credentials;
  /** what the org has set; left out: nothing */
  settings?: SettingsStore;
  /** the attachments of the org's sessions; left out: none are kept */
  attachments?: AttachmentStore;
  /** the rows of the org's composition, in force and without problems */
  rows: readonly MountRow[];
  /** told of a preset revision that cannot be mounted, or that leaked a service while in use (G-9); each time one is found out */
  onBroken?: (preset: PresetRef, reasons: readonly string[]) => void;
  /** told once when the root would not come to rest: the worker drains and is replaced (13.5) */
  onTaint?: (reason: string) => void;
  limits?: Partial<RootLimits>;
};

type Mounting = {
  readonly plugins: Plugins;
  readonly limits: RootLimits;
  /** gets the host of presets while it is active, and null when it is not */
  readonly keep: (presets: PresetHost | null) => void;
};

/** Mounts what an org's root stands on: its host capabilities, the host of its presets, its rows. @throws AppError INTERNAL with every reason */
export async function mountHost(root: Root, host: OrgHost, { plugins, limits, keep }: Mounting): Promise<void> {
  const { orgId, credentials, settings = createSettingsStore().store, attachments = noAttachments, rows } = host;
  mount(root.ctx, { name: "credentials", apply: (ctx: Context) => void ctx.provide("credentials", credentials) });
  // the registry refuses calls of agents that belong to another org (T-25)
  mount(root.ctx, { name: "tenant", apply: (ctx: Context) => void ctx.provide("tenant", { orgId }) });
  mount(root.ctx, { name: "settings-store", apply: (ctx: Context) => void ctx.provide("settingsStore", settings) });
  mount(root.ctx, { name: "attachment-store", apply: (ctx: Context) => void ctx.provide("attachmentStore", attachments) });
  const presets = mount(root.ctx, presetHost({ plugins, limits, onBroken: tellBroken(host) }, keep));
  const faults = await mountRows(root.ctx, rows, { plugins, deadlineMs: limits.rootMountMs });
  const reasons = [...faults.map(describeFault), ...describeAudit(await audit([presets], limits.rootMountMs))];
  if (reasons.length > 0) throw new AppError("INTERNAL", `The host composition did not start: ${reasons.join("; ")}.`);
}

/** The host's listener; its failure stops nothing here. */
function tellBroken({ orgId, logger, onBroken }: OrgHost) {
  return (preset: PresetRef, reasons: readonly string[]): void => {
    try {
      onBroken?.(preset, reasons);
    } catch (err) {
      logger.error({ orgId, err }, "the host's listener for broken presets failed");
    }
  };
}
