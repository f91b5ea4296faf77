import { describeIssue, describeWarning, type Issue } from "@gantry/compose";
import { AppError, type Json } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { affectedPresets, presetsBreak } from "../composition/affected-presets.ts";
import { type ChangeFact, commitRevision } from "../composition/commit-revision.ts";
import { type Composed, composeState, newProblems } from "../composition/compose-state.ts";
import { type CompositionState, type LayerText, layerText, readState } from "../composition/composition-state.ts";
import { describeByRow } from "../composition/locate-problems.ts";
import type { ServiceContext } from "../context.ts";

/** How an operation of the plugin manager ended (N-9). */
export type OperationResult = {
  /** the last step that was begun */
  readonly stage: "validate" | "activate" | "deselect" | "unload" | "delete";
  /** the row or bundle that was meant */
  readonly target: string;
  readonly saved: boolean;
  /** running sessions keep what they started with (N-11); "none" also when older failures keep the composition from being mounted */
  readonly applied: "new-sessions" | "none";
  /** of the org's layer that is in force now */
  readonly revision: number;
  /** failures that were there before and are not this operation's, and what it left out */
  readonly warnings: readonly string[];
  /** presets that could be used before and cannot any more */
  readonly affectedPresets: readonly string[];
  /** why it failed; null when it did not */
  readonly code: string | null;
  /** why, or for whom it holds from when on (N-11) */
  readonly message: string | null;
};

export type Refusal = { readonly code: string; readonly message: string };

/** Nothing was saved. */
export function refused(
  state: CompositionState,
  target: string,
  refusal: Refusal,
  stage: OperationResult["stage"] = "validate",
): OperationResult {
  return { stage, target, saved: false, applied: "none", revision: state.org.revision, warnings: [], affectedPresets: [], ...refusal };
}

/** Things are as wanted already. */
export function unchanged(state: CompositionState, target: string, why: string): OperationResult {
  const result = { stage: "validate", target, saved: false, applied: "none", revision: state.org.revision } as const;
  return { ...result, warnings: [why], affectedPresets: [], code: null, message: null };
}

/** The first reason as the code, all of them as the message, each with its row and field: the text that they are in was never shown. */
const refusalOf = (issues: readonly Issue[], { composition }: Composed): Refusal => ({
  code: issues[0]?.code ?? "COMPOSITION_INVALID",
  message: issues.map((issue) => describeByRow(issue, composition.rows)).join(" "),
});

export type Operation = Omit<ChangeFact, "details"> & {
  readonly subject: string;
  readonly target: string;
  /** confirmed that presets go that the organisation cannot do without */
  readonly force: boolean | undefined;
  /** asked when all is checked and nothing is stored; false: it was cancelled */
  readonly mayStore?: () => Promise<boolean>;
  /** what the audit row keeps of the result */
  readonly record?: (result: OperationResult) => { readonly [key: string]: Json };
};

/**
 * Puts `next` in force when it brings no failure of its own: failures that the composition had before are warnings (N-9). What is stored is read back and
 * composed again, and a difference ends the transaction, so that the earlier revision stays.
 */
export async function activate(
  tx: Tx,
  ctx: ServiceContext,
  state: CompositionState,
  next: LayerText,
  { target, force, mayStore, record, ...fact }: Operation,
): Promise<OperationResult> {
  const wanted = composeState(state, { org: next });
  const failures = newProblems(state, next, state.org);
  if (failures.length > 0) return refused(state, target, refusalOf(failures, wanted));
  const affected = await affectedPresets(tx, ctx, state, next);
  if (affected.vital.length > 0 && force !== true)
    return refused(state, target, { code: "PRESETS_BREAK", message: presetsBreak(affected) });
  if (mayStore && !(await mayStore())) return refused(state, target, cancelled);
  const result = (revision: number): OperationResult => ({
    stage: "activate",
    target,
    saved: true,
    applied: wanted.problems.length === 0 ? "new-sessions" : "none",
    revision,
    warnings: warningsOf(composeState(state, { org: layerText("org", { ...next, revision }) })),
    affectedPresets: affected.slugs,
    code: null,
    message: taken,
  });
  const details = record ? (revision: number) => record(result(revision)) : undefined;
  const revision = await commitRevision(tx, ctx, state, next, { ...fact, ...(details ? { details } : {}) });
  const stored = composeState(await readState(tx, ctx, state.profile));
  if (stored.composition.hash !== wanted.composition.hash)
    throw new AppError("COMPOSITION_INVALID", "What was stored is not what was checked. Nothing was changed; try again.");
  return result(revision);
}

const taken =
  "Sessions that are open now finish their turn on the old composition; every session takes the new one when it is next opened.";
export const cancelled: Refusal = { code: "CANCELLED", message: "The installation was cancelled. Nothing was changed." };

function warningsOf({ composition, problems }: Composed): string[] {
  return [...problems.map(describeIssue), ...composition.warnings.map(describeWarning)];
}
