import type { ToolExecution, ToolRisk } from "@gantry/tools";
import { matchesPattern } from "@gantry/tools/matches-pattern";
import { z } from "zod";
import { allFit, placesOf, stringsOf } from "./matches.ts";

const Rule = z.strictObject({
  /** Name of the tool; `*` stands for any characters. */
  tool: z.string().min(1).max(64),
  /**
   * What one of the strings in the arguments looks like, whole; `*` as above. Absent: any arguments. A rule that allows wants it of all that the call
   * works on, so that no word beside it lets a call pass.
   */
  argument: z.string().min(1).max(500).optional(),
  /** Kinds of tools that the rule is about; absent: all. */
  risk: z
    .array(z.enum(["read", "write", "execute", "network"]))
    .min(1)
    .optional(),
  decision: z.enum(["allow", "ask", "deny"]),
  /** For the model, and for whoever is asked. */
  reason: z.string().min(1).max(500).optional(),
});
export type Rule = z.infer<typeof Rule>;
export const Config = z.strictObject({ rules: z.array(Rule).max(200).default([]) });

/**
 * Characters of all strings of one call that rules look at; with the most rules it takes some tens of ms of a worker that other orgs share (SC-R12). In
 * more than that nothing is looked for: rules that ask or deny take it as fitting, and none allows it.
 */
const maxSearched = 250_000;

/** The first rule that fits a call; later ones do not count. */
export function ruleFor(
  rules: readonly Rule[],
  { name, arguments: args }: Pick<ToolExecution, "name" | "arguments">,
  risk: ToolRisk,
): Rule | undefined {
  let texts: readonly string[] | null | undefined;
  return rules.find((rule) => {
    if (!matchesPattern(name, rule.tool) || (rule.risk && !rule.risk.includes(risk))) return false;
    if (rule.argument === undefined) return true;
    const pattern = rule.argument;
    if (texts === undefined) texts = searchable(args);
    if (rule.decision === "allow") return texts !== null && allFit(args, (text) => matchesPattern(text, pattern));
    return texts === null || texts.some((text) => matchesPattern(text, pattern));
  });
}

function searchable(args: unknown): readonly string[] | null {
  const texts = [...stringsOf(args), ...placesOf(args)];
  return texts.reduce((sum, text) => sum + text.length, 0) > maxSearched ? null : texts;
}
