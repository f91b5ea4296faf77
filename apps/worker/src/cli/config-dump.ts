import { describeIssue, describeWarning, diffCompositions, diffText, dumpJson, dumpText } from "@gantry/compose";
import { AppError, type OrgId } from "@gantry/contracts";
import { withSystem } from "@gantry/db";
import { loadEnv } from "@gantry/platform";
import { orgComposition, readProviders } from "../org-composition.ts";
import type { DumpOptions } from "./parse-arguments.ts";

/**
 * The dump of an org's composition, from the composer that its root is mounted with (§10). Boots nothing, shows no key: keys are not part of a
 * composition. `notes` are the warnings and problems, one a line. @throws AppError NOT_FOUND for an unknown org or profile
 */
export async function configDump({ org, profile, resolved, json, upTo, diff }: DumpOptions): Promise<{ text: string; notes: string[] }> {
  const providers = await readProviders(await readOrgId(org));
  const composed = (last: DumpOptions["upTo"]) => orgComposition(providers, loadEnv(), { profile, upTo: last });
  if (diff) {
    const differences = diffCompositions(composed(diff.from), composed(diff.to));
    return { text: json ? print(differences) : diffText(differences), notes: [] };
  }
  const composition = composed(upTo);
  const text = json ? print(dumpJson(composition, { resolved })) : dumpText(composition, { resolved });
  const warnings = composition.warnings.map((warning) => `warning: ${describeWarning(warning)}`);
  return { text, notes: [...warnings, ...composition.problems.map((problem) => `problem: ${describeIssue(problem)}`)] };
}

async function readOrgId(slug: string): Promise<OrgId> {
  const found = await withSystem((tx) => tx.org.findUnique({ where: { slug }, select: { id: true } }));
  if (!found)
    throw new AppError("NOT_FOUND", "There is no organisation with this slug. It is the first part of the address in the browser.");
  return found.id as OrgId;
}

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
