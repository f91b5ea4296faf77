/** What one worker may hold, and for how long (§13.6); what one root may hold is the root's own to say. Times in milliseconds. */
export const budgets = {
  roots: 400,
  /** how long a root whose composition is no longer the org's serves its sessions before they are asked to hand over */
  drainMs: 6 * 3_600_000,
  rootIdleMs: 15 * 60_000,
  generationIdleMs: 5 * 60_000,
  /** between two looks for what is idle */
  sweepMs: 60_000,
  /** before a composition that did not start is tried again while an earlier root serves the org */
  retryMs: 60_000,
  /** how long sessions get to end when their org's roots are closed at once (13.5) */
  closeMs: 15_000,
  /** bytes of request images kept in memory, of all orgs together */
  variantBytes: 64 * 1024 * 1024,
} as const;
export type Budgets = { readonly [K in keyof typeof budgets]: number };
