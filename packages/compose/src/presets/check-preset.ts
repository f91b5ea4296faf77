import { catalogData } from "../catalog/index.ts";
import { checkIdleConfig } from "../checks/check-idle-config.ts";
import type { ComposedRow } from "../composition.ts";
import type { Facts } from "../conditions/facts.ts";
import { gateText } from "../input/gate.ts";
import { type Issue, type Locate, nowhere, placed } from "../input/issue.ts";
import type { Row } from "../rows/row.ts";
import { composePreset, type PresetComposition } from "./compose-preset.ts";
import { placesOf, readPresetSource } from "./read-preset.ts";

export type CheckedPreset = {
  /** why the text may not become a revision, each with its line and column; empty when it may */
  problems: Issue[];
  /** what would mount; null when the text is not a list of rows */
  composition: PresetComposition | null;
};

/** Everything that is wrong with a preset's text, for editors and saves (G-4). `revision` names it in the dump. Starts nothing. */
export function checkPreset(input: {
  slug: string;
  source: string;
  facts: Facts;
  revision?: number;
  hostServices?: ReadonlySet<string>;
  hostRows?: readonly ComposedRow[];
}): CheckedPreset {
  const { source, facts, ...rest } = input;
  const read = readPresetSource(source);
  if (!read.ok) return { problems: read.issues, composition: null };
  const composition = composePreset({ revision: 0, facts, ...rest, rows: read.rows });
  const problems = [...composition.problems, ...checkIdleConfig(composition.rows, catalogData, facts)];
  const gated = gateText(source);
  return { problems: placed(problems, byId(read.rows, gated.ok ? gated.locate : nowhere)), composition };
}

/** Finds a path by ids (`$.planning.plan-mode.config`) where the row stands in the text (`$[3].config[0].config`). */
function byId(rows: readonly Row[], locate: Locate): Locate {
  const places = [...placesOf(rows)].sort((a, b) => b.path.length - a.path.length);
  return (path) => {
    const row = places.find((one) => path === one.path || path.startsWith(`${one.path}.`) || path.startsWith(`${one.path}[`));
    return locate(row ? `${row.at}${path.slice(row.path.length)}` : path);
  };
}
