import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { loadLogEnv } from "./env.ts";
import { describeError } from "./log-error.ts";

export type { Logger } from "pino";

const secretKeys = [
  "password",
  "passwordHash",
  "secret",
  "clientSecret",
  "apiKey",
  "key",
  "token",
  "authorization",
  "cookie",
  "GANTRY_MASTER_KEY",
  "NEXTAUTH_SECRET",
  "OIDC_CLIENT_SECRET",
  "DATABASE_URL",
  "MIGRATION_DATABASE_URL",
  "REDIS_URL",
];

/** JSON leaves these alone, terminals do not: DEL, C1 controls, line separators and the marks that reorder text. */
const unsafe = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A logger of JSON lines, one fact a line, on standard output. Fields with a secret's name are masked two levels deep; no value can break out of
 * its line or drive a terminal (SC-L3). Errors keep type, code, message and frames, never driver details, which quote rows.
 */
export function createLogger(name: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level: loadLogEnv().LOG_LEVEL,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: "[redacted]" },
    serializers: { err: describeError, error: describeError, cause: describeError },
    hooks: { streamWrite: (line: string) => line.replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`) },
  };
  return destination ? pino(options, destination) : pino(options);
}
