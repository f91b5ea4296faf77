#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { isAppError } from "@gantry/contracts";
import { closeDatabase } from "@gantry/db";
import { loadEnv, useInstallation } from "@gantry/platform";
import { configDump } from "./config-dump.ts";
import { parseArguments, UsageError, usage } from "./parse-arguments.ts";
import { pruneLog } from "./prune-log.ts";

/** Where `npm start` keeps data unless it is told otherwise. */
const dataDir = fileURLToPath(new URL("../../../../.gantry", import.meta.url));
/** To stderr: a dump goes to other programs. */
const say = (used: string | null) =>
  used !== null && process.stderr.write(`Using the installation over ${used} (${loadEnv().NEXTAUTH_URL}).\n`);

// `gantry config dump …`: the dump goes to stdout, warnings and problems to stderr (D-5)
try {
  const [area, ...rest] = process.argv.slice(2);
  const options = area === "log" ? null : parseArguments(process.argv.slice(2));
  if (options !== "help") say(useInstallation(dataDir));
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
