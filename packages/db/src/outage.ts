import { AppError } from "@gantry/contracts";

/** Codes of Node's sockets, of SQLSTATE and of Prisma that say "no answer from Postgres", as opposed to an answer we dislike. */
const outageCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "57P01",
  "57P02",
  "57P03",
  "57014",
  "25P03",
  "53300",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "P2037",
]);
/** pg's client reports these without a code. */
const outageText =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|not queryable/i;

/** Rethrows an error of the database; when Postgres did not answer it becomes UNAVAILABLE, which a caller may try again. */
export function rethrow(error: unknown): never {
  if (error instanceof AppError || !isOutage(error)) throw error;
  throw new AppError("UNAVAILABLE", "The database does not answer right now. Try again in a moment.", { cause: error });
}

/** True when a write broke a unique rule of the database; `field` narrows it to one column or constraint name. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at);
    if (code !== "P2002" && code !== "23505") continue;
    return field === undefined || JSON.stringify([at.message, { ...at }]).includes(field);
  }
  return false;
}

/** True when a statement waited for a lock for longer than its transaction allows (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (JSON.stringify({ ...at }).includes('"55P03"')) return true;
  }
  return false;
}

function isOutage(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (outageCodes.has(codeOf(at) ?? "") || outageText.test(at.message)) return true;
    const kind = (at.cause as { kind?: unknown } | undefined)?.kind; // the driver adapter's own vocabulary
    if (kind === "DatabaseNotReachable" || kind === "ConnectionClosed" || kind === "SocketTimeout" || kind === "TooManyConnections")
      return true;
    if (at instanceof AggregateError && at.errors.some(isOutage)) return true;
  }
  return false;
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
