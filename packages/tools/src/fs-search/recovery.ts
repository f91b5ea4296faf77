import type { Stored } from "../spill/seam.ts";

/** The clause of an over-cap footer that says how to get at the rest. */
export function recoveryClause(what: string, stored: Stored | undefined): string {
  return stored
    ? `Full ${what} stored at: ${stored.locator}. ${stored.hint}`
    : `The rest could not be saved; narrow the arguments to see it.`;
}
