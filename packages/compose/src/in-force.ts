import { AppError } from "@gantry/contracts";
import type { Composition } from "./composition.ts";
import { describeIssue } from "./input/issue.ts";

/**
 * The composition to use: the candidate when it has no problem, else the last one that had none (R-18, M-13).
 * @throws AppError COMPOSITION_INVALID naming the problems when there is no earlier one
 */
export function inForce<C extends Pick<Composition, "problems">>(candidate: C, lastValid: C | null): C {
  if (candidate.problems.length === 0) return candidate;
  if (lastValid) return lastValid;
  throw new AppError("COMPOSITION_INVALID", `The composition cannot start. ${candidate.problems.map(describeIssue).join(" ")}`);
}
