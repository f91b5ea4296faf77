import { createDatabase, probeDatabase } from "./databases.mjs";

/** SQLSTATE and socket codes to the codes that the Prisma CLI acts on. */
const prismaCodes = { "3D000": "P1003", "28P01": "P1000", 28000: "P1010", "42P04": "P1009", ECONNREFUSED: "P1001", ENOTFOUND: "P1001" };

/**
 * `cli can-connect-to-database` and `cli create-database`. The CLI reads a failure from stderr: one JSON record a line, after a first
 * line that it skips.
 * @returns exit code
 */
export async function runCliCommand(command, url) {
  const commands = { "can-connect-to-database": probeDatabase, "create-database": createDatabase };
  try {
    if (!commands[command]) throw new Error(`The schema engine has no command "${command}".`);
    await commands[command](url);
    return 0;
  } catch (error) {
    const fields = { message: error.message, error_code: prismaCodes[error.code] ?? "P1011" };
    process.stderr.write(`\n${JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields })}`);
    return 1;
  }
}
