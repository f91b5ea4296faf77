import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BrokerEnv, brokerSchema, type Env, envSchema, type LogEnv, logSchema } from "./env-schema.ts";

export type { BrokerEnv, Env } from "./env-schema.ts";

type Source = Readonly<Record<string, string | undefined>>;
type Parser<T> = {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
};

let overrides: Source = {};
const cache = new Map<Parser<unknown>, unknown>();

/**
 * The settings of a web, worker or script process, parsed once; the only reader of `process.env`.
 * @throws Error naming every variable that is missing or wrong, never its value
 */
export function loadEnv(): Env {
  return load(envSchema);
}

/** The few settings the broker needs: it holds no database address and no key. @throws Error as {@link loadEnv} */
export function loadBrokerEnv(): BrokerEnv {
  return load(brokerSchema);
}

export function loadLogEnv(): LogEnv {
  return load(logSchema);
}

/** Puts values over the process's environment from now on and forgets what was parsed. For tests and scripts that choose their own services. */
export function overrideEnv(values: Source): void {
  overrides = { ...overrides, ...values };
  cache.clear();
}

/**
 * Lets a command use the installation that runs over a data folder when the environment names none: its variables are put into the environment. An
 * environment with a DATABASE_URL is left alone, because half of one installation and half of another would be worse than none.
 * @param defaultDataDir where data is when GANTRY_DATA_DIR does not say
 * @returns the data folder that was used, null when the environment had its own database
 * @throws Error when neither the environment nor the data folder names an installation
 */
export function useInstallation(defaultDataDir: string): string | null {
  if (process.env.DATABASE_URL) return null;
  const dataDir = resolve(process.env.GANTRY_DATA_DIR || defaultDataDir);
  const variables = join(dataDir, "run", "installation.env"); // written while it runs, gone when it has stopped
  if (!existsSync(variables))
    throw new Error(
      `No installation runs over ${dataDir}. Start it with \`npm start\`, name another data folder in GANTRY_DATA_DIR, or set the variables of .env.example.`,
    );
  process.loadEnvFile(variables);
  cache.clear();
  return dataDir;
}

function load<T>(schema: Parser<T>): T {
  if (!cache.has(schema)) cache.set(schema, parseEnv(schema, { ...process.env, ...overrides }));
  return cache.get(schema) as T;
}

/** Parses a set of variables; an empty value counts as absent, as compose files pass those. @throws Error naming the variables */
export function parseEnv<T>(schema: Parser<T>, source: Source): T {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The environment is not usable; see .env.example.\n${wrong.join("\n")}`);
}
