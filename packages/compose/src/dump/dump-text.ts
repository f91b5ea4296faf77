import { stringify } from "yaml";
import type { ComposedRow, Composition } from "../composition.ts";
import { sameJson } from "../json.ts";
import { redact } from "./redact.ts";

/**
 * The dump for people (D-3): YAML, rows in order, a comment before each run of rows that the same layers wrote. The text is itself a layer: applied over
 * the composition it came from, it changes nothing. Conditions and secrets print as written; `resolved` adds a comment with the outcome.
 */
export function dumpText(composition: Composition, { resolved = false } = {}): string {
  const { profile, hash, catalogVersion, facts, rows } = composition;
  const head = [`# profile ${profile}, composition ${hash}, catalogue ${catalogVersion}`];
  if (resolved) head.push(`# facts ${oneLine(facts)}`);
  let run = "";
  const body = rows.flatMap((row) => {
    const provenance = provenanceOf(row);
    const comment = provenance === run ? [] : [`# == ${provenance}`];
    run = provenance;
    const text = stringify(redact([row.row]), { lineWidth: 0, aliasDuplicateObjects: false });
    // one line end goes, for the one between the rows; more of them, and blanks, may be the end of a value
    return [...comment, ...notes(row, resolved), text.replace(/\n$/, "")];
  });
  return `${[...head, ...(body.length > 0 ? body : ["[]"])].join("\n")}\n`;
}

/** A group counts as changed by whoever changed or added a row inside it. */
function provenanceOf(row: ComposedRow): string {
  const inside = (row.children ?? []).flatMap(writers).filter((label) => label !== row.origin);
  const labels = [...new Set([...row.patchedBy, ...inside])];
  return labels.length > 0 ? `${row.origin}, patched by ${labels.join(", ")}` : row.origin;
}

const writers = ({ origin, patchedBy, children = [] }: ComposedRow): string[] => [origin, ...patchedBy, ...children.flatMap(writers)];

/** What the row alone does not say: clamps and missing code always, the outcome when asked for. */
function notes({ row, outcome, children = [] }: ComposedRow, resolved: boolean): string[] {
  const inner = children.flatMap((child) => notes(child, resolved));
  if (outcome.state === "planned") return [`# ${row.id}: planned, this release has no code for it`, ...inner];
  if (outcome.state === "disabled") return resolved ? [`# ${row.id}: disabled`, ...inner] : inner;
  const clamped = outcome.clamps.map(({ field, from, to }) => `# ${row.id}: ${field} clamped from ${oneLine(from)} to ${oneLine(to)}`);
  const config = outcome.config && !sameJson(outcome.config, row.config) ? ` with ${oneLine(outcome.config)}` : "";
  return [...clamped, ...(resolved ? [`# ${row.id}: mounts${config}`] : []), ...inner];
}

/** JSON on one line; line separators that would end a comment are escaped. */
const oneLine = (value: unknown): string =>
  JSON.stringify(redact(value)).replace(/[\u0085\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
