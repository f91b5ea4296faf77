import type { ToolExecution, ToolRisk } from "@gantry/tools";
import { z } from "zod";
import { matchesPattern, stringsOf } from "./matches.ts";

const Rule = z.strictObject({
  /** Name of the tool; `*` stands for any characters. */
  tool: z.string().min(1).max(64),
  /** What one of the strings in the arguments looks like, whole; `*` as above. Absent: any arguments. */
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

/** The first rule that fits a call; later ones do not count. */
export function ruleFor(
  rules: readonly Rule[],
  { name, arguments: args }: Pick<ToolExecution, "name" | "arguments">,
  risk: ToolRisk,
): Rule | undefined {
  return rules.find(
    (rule) =>
      matchesPattern(name, rule.tool) &&
      (!rule.risk || rule.risk.includes(risk)) &&
      (rule.argument === undefined || fits(args, rule.argument)),
  );
}

function fits(args: unknown, pattern: string): boolean {
  for (const text of stringsOf(args)) if (matchesPattern(text, pattern)) return true;
  return false;
}
