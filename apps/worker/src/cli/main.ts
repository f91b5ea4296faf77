#!/usr/bin/env node
import { isAppError } from "@gantry/contracts";
import { closeDatabase } from "@gantry/db";
import { configDump } from "./config-dump.ts";
import { parseArguments, UsageError, usage } from "./parse-arguments.ts";
import { pruneLog } from "./prune-log.ts";

// `gantry config dump …`: the dump goes to stdout, warnings and problems to stderr (D-5)
try {
  const [area, ...rest] = process.argv.slice(2);
  const options = area === "log" ? null : parseArguments(process.argv.slice(2));
  if (options === null) process.stdout.write(await pruneLog(rest));
  else if (options === "help") process.stdout.write(usage);
  else {
    const { text, notes } = await configDump(options);
    process.stdout.write(text);
    for (const note of notes) process.stderr.write(`${note}\n`);
  }
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${isAppError(error) || error instanceof Error ? error.message : String(error)}\n`);
} finally {
  await closeDatabase();
}
