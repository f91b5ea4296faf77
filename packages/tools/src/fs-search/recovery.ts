/** Where the complete result went, when a store took it. `hint` tells the model how to read it. */
export type Stored = { locator: string; hint: string };

/** The clause of an over-cap footer that says how to get at the rest. */
export function recoveryClause(what: string, stored: Stored | undefined): string {
  return stored
    ? `Full ${what} stored at: ${stored.locator}. ${stored.hint}`
    : `The rest could not be saved; narrow the arguments to see it.`;
}
