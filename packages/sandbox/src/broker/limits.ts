/** What one world may use. The engine enforces all of it; the golden test of the container body holds these values. */
export const worldLimits = {
  memoryBytes: 1024 * 1024 * 1024,
  /** Billionths of a core. */
  nanoCpus: 1_000_000_000,
  cpuShares: 512,
  processes: 256,
  openFiles: 1024,
  fileBytes: 1024 * 1024 * 1024,
  tempBytes: 256 * 1024 * 1024,
  tempInodes: 20_000,
  /** Written to the root file system of a `danger-full-access` world; more ends it. Looked at every few seconds. */
  rootBytes: 1024 * 1024 * 1024,
} as const;

/** A world that nobody renews for so long is removed. */
export const defaultTtlMs = 10 * 60_000;
export const maxTtlMs = 60 * 60_000;
/** After a restart the broker cannot know who renewed what: every world found gets at least this long. */
export const adoptionGraceMs = 2 * 60_000;
export const reapIntervalMs = 15_000;
/** A volume without worlds is unmounted after this. */
export const idleVolumeMs = 5 * 60_000;

/** Uids of agents: one per session, so that per-uid budgets of the kernel are not shared (SC-R9). All share one group. */
export const firstUid = 10_000;
export const lastUid = 59_999;
export const agentGid = 10_000;
