import { parseArgs } from "node:util";
import { type LayerKind, layerKinds } from "@gantry/compose";

export const usage = `Prints what an organisation's agents stand on, with the layer that wrote each row.

  gantry config dump --org <slug> [--profile web] [--resolved] [--json] [--up-to <layers>] [--diff <point>..<point>]

Takes the text out of streamed deltas that have served their time; needs MIGRATION_DATABASE_URL.

  gantry log prune-chunks [--org <slug>] [--days 30]

Options of config dump:

  --resolved   adds what becomes of each row: mounts, disabled, planned
  --json       the form for programs, with the last writer of each field
  --up-to      leaves out the layers after this one: bundles, plan, org, project, invocation
  --diff       the difference between two points: layers as above, as in bundles..org, or revisions of the organisation's
               own layer, as in 3..5; 0 is the state without one
`;

export type DumpOptions = {
  org: string;
  profile: string;
  resolved: boolean;
  json: boolean;
  upTo: LayerKind;
  diff: { from: Point; to: Point } | null;
};
/** A state to print: with the layers up to one, and with a revision of the org's own layer instead of the one in force. */
export type Point = { upTo: LayerKind; revision?: number };

/** The command line cannot be understood; the message says why and shows how it is used. */
export class UsageError extends Error {
  constructor(why: string) {
    super(`${why}\n\n${usage}`);
  }
}

/** @throws UsageError */
export function parseArguments(args: readonly string[]): DumpOptions | "help" {
  const { values, positionals } = parsed(args);
  if (values.help) return "help";
  if (positionals.join(" ") !== "config dump") throw new UsageError("The commands are `config dump` and `log prune-chunks`.");
  if (!values.org) throw new UsageError("Name the organisation with --org <slug>.");
  if (values.diff !== undefined && (values["up-to"] !== undefined || values.resolved)) {
    throw new UsageError("--diff names its own states and prints rows as written: leave out --up-to and --resolved.");
  }
  const { org, profile, resolved, json } = values;
  return { org, profile, resolved, json, upTo: layerKind(values["up-to"] ?? "invocation"), diff: diffOf(values.diff) };
}

function parsed(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { org: text, profile: { ...text, default: "web" }, resolved: flag, json: flag, help: flag, "up-to": text, diff: text },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function diffOf(value: string | undefined): DumpOptions["diff"] {
  if (value === undefined) return null;
  const [from, to, ...more] = value.split("..");
  if (!from || !to || more.length > 0) throw new UsageError("--diff takes two layers or two revisions, as in bundles..org or 3..5.");
  return { from: point(from), to: point(to) };
}

const point = (value: string): Point =>
  /^[0-9]{1,9}$/.test(value) ? { upTo: "invocation", revision: Number(value) } : { upTo: layerKind(value) };

function layerKind(value: string): LayerKind {
  const kind = layerKinds.find((known) => known === (value === "bundles" ? "bundle" : value));
  if (!kind) throw new UsageError("Layers are bundles, plan, org, project and invocation.");
  return kind;
}
