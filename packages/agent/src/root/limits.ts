/** Budgets and deadlines of one org root (kernel §13.6, §13.5). Times in milliseconds. */
export const rootLimits = {
  agents: 200,
  generations: 32,
  rootMountMs: 20_000,
  generationMountMs: 10_000,
  agentRestMs: 15_000,
  restMs: 10_000,
  generationIdleMs: 300_000,
  /** wait after a mount that failed for no fault of the preset; doubles with each failure up to the maximum */
  retryFirstMs: 1_000,
  retryMaxMs: 60_000,
};
export type RootLimits = typeof rootLimits;
