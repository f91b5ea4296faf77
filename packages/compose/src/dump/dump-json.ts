import type { Clamp } from "../clamp.ts";
import type { ComposedRow, Composition } from "../composition.ts";
import { describeIssue } from "../input/issue.ts";
import { describeWarning } from "../layers/warning.ts";
import type { Row } from "../rows/row.ts";
import { redact } from "./redact.ts";

export type DumpedRow = {
  row: Row;
  origin: string;
  patchedBy: readonly string[];
  fields: Readonly<Record<string, string>>;
  /** fields beyond the platform's limits, and what they became */
  clamps?: readonly Clamp[];
  /** with `resolved`: what becomes of the row */
  outcome?: ComposedRow["outcome"];
  children?: DumpedRow[];
};
export type DumpJson = {
  profile: string;
  hash: string;
  catalogVersion: string;
  facts: Composition["facts"];
  rows: DumpedRow[];
  warnings: string[];
  problems: string[];
};

/** The dump for programs (§10): who wrote each row and, field by field, who wrote it last. */
export function dumpJson(composition: Composition, { resolved = false } = {}): DumpJson {
  const { profile, hash, catalogVersion, facts, rows, warnings, problems } = composition;
  const dumpRow = ({ row, origin, patchedBy, fields, outcome, children }: ComposedRow): DumpedRow => ({
    row: redact(row),
    origin,
    patchedBy,
    fields,
    ...(outcome.state === "mounts" && outcome.clamps.length > 0 ? { clamps: redact(outcome.clamps) } : {}),
    ...(resolved ? { outcome: redact(outcome) } : {}),
    ...(children ? { children: children.map(dumpRow) } : {}),
  });
  return {
    profile,
    hash,
    catalogVersion,
    facts,
    rows: rows.map(dumpRow),
    warnings: warnings.map(describeWarning),
    problems: problems.map(describeIssue),
  };
}
