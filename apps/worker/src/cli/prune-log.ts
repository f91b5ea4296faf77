import { parseArgs } from "node:util";
import type { OrgId } from "@gantry/contracts";
import { listOrgIds } from "@gantry/db";
import { connectOwner } from "@gantry/db/owner";
import { pruneChunks } from "@gantry/db/prune-chunks";
import { UsageError } from "./parse-arguments.ts";
import { readOrgId } from "./read-org.ts";

/**
 * `gantry log prune-chunks [--org <slug>] [--days 30]`: takes the text out of streamed deltas that have served their time (SES-33). Works as the owner of the
 * schema, so MIGRATION_DATABASE_URL must be set; one line an organisation that had any. @throws UsageError, AppError NOT_FOUND for the organisation
 */
export async function pruneLog(args: readonly string[]): Promise<string> {
  const { org, days } = optionsOf(args);
  const orgIds: readonly OrgId[] = org === undefined ? await listOrgIds() : [await readOrgId(org)];
  const owner = await connectOwner();
  const lines: string[] = [];
  try {
    for (const orgId of orgIds) {
      const { sessions, events, chars } = await pruneChunks(owner, orgId, { olderThanDays: days });
      if (events > 0) lines.push(`${orgId}: ${chars} characters of ${events} events in ${sessions} sessions\n`);
    }
  } finally {
    await owner.close();
  }
  return lines.join("") || "Nothing was old enough.\n";
}

function optionsOf(args: readonly string[]): { org: string | undefined; days: number } {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { org: text, days: { ...text, default: "30" } },
    });
    if (positionals.join(" ") === "prune-chunks" && /^[1-9]\d{0,4}$/.test(values.days))
      return { org: values.org, days: Number(values.days) };
  } catch {
    // an option that there is not: told below with how it is used
  }
  throw new UsageError("The command is `log prune-chunks [--org <slug>] [--days <whole days>]`.");
}
