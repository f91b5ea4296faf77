import { type Composition, describeIssue, describeWarning, diffCompositions, diffText, dumpJson, dumpText } from "@gantry/compose";
import { loadEnv } from "@gantry/platform";
import { orgComposition } from "../org-composition.ts";
import type { DumpOptions, Point } from "./parse-arguments.ts";
import { readOrg, readOrgId } from "./read-org.ts";

/**
 * The dump of an org's composition, from the composer that its root is mounted with (§10). Boots nothing, shows no key: keys are not part of a
 * composition. `notes` are the warnings and problems, one a line. @throws AppError NOT_FOUND for an unknown org, profile or revision
 */
export async function configDump({ org, profile, resolved, json, upTo, diff }: DumpOptions): Promise<{ text: string; notes: string[] }> {
  const orgId = await readOrgId(org);
  const composed = async ({ upTo: last, revision }: Point) =>
    orgComposition(await readOrg(orgId, { profile, ...(revision === undefined ? {} : { revision }) }), loadEnv(), { profile, upTo: last });
  if (diff) {
    const [from, to] = [await composed(diff.from), await composed(diff.to)];
    const differences = diffCompositions(from, to);
    return { text: json ? print(differences) : diffText(differences), notes: [...notesOf(from), ...notesOf(to)] };
  }
  const composition = await composed({ upTo });
  return { text: json ? print(dumpJson(composition, { resolved })) : dumpText(composition, { resolved }), notes: notesOf(composition) };
}

const notesOf = ({ warnings, problems }: Composition): string[] => [
  ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
  ...problems.map((problem) => `problem: ${describeIssue(problem)}`),
];

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
