import { isAbsolute, join } from "node:path";
import { z } from "zod";

const count = (fallback: number) => z.coerce.number().int("must be a whole number").positive("must be above 0").default(fallback);
const flag = (fallback: "0" | "1") =>
  z
    .enum(["0", "1"], "must be 0 or 1")
    .default(fallback)
    .transform((value) => value === "1");
const text = z.string("is missing").min(1);
const folder = z.string("is missing").refine(isAbsolute, "must be an absolute path");
const postgres = z.string("is missing").regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address");

const log = {
  NODE_ENV: z.enum(["development", "test", "production"], "must be development, test or production").default("development"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"], "must be a level such as info").default("info"),
};

const sandbox = {
  /** Objects, volumes and sockets live below it. */
  GANTRY_DATA_DIR: folder,
  GANTRY_BROKER_SOCKET: folder.optional(),
  GANTRY_SANDBOX_IMAGE: text.default("gantry-sandbox:local"),
  /** Host folder with sandboxd, mounted read-only into each container. */
  GANTRY_SANDBOXD_DIR: folder.optional(),
  WORKSPACE_QUOTA_MB: count(2048),
  GANTRY_ALLOW_UNQUOTED: flag("0"),
};

const oidcNames = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"] as const;

const all = z.object({
  ...log,
  ...sandbox,
  DATABASE_URL: postgres,
  /** The owner of the schema: for migrations, the seed and tests; a serving process does not need it. */
  MIGRATION_DATABASE_URL: postgres.optional(),
  DATABASE_POOL_MAX: count(10),
  REDIS_URL: z.string("is missing").regex(/^rediss?:\/\//, "must be a redis:// address"),
  /** Begins every key and channel, so that installations can share a Redis. */
  REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]+$/, "must be of a-z, 0-9 and -")
    .default("gantry"),
  GANTRY_MASTER_KEY: z.string("is missing").transform((value, ctx) => {
    const key = Buffer.from(value, "base64");
    if (key.length !== 32 || key.toString("base64") !== value)
      ctx.addIssue({ code: "custom", message: "must be 32 bytes in base64 (openssl rand -base64 32)" });
    return key;
  }),
  NEXTAUTH_SECRET: z.string("is missing").min(16, "must have 16 characters or more"),
  NEXTAUTH_URL: z.url("must be the address that browsers use"),
  WORKER_CONCURRENCY: count(100),
  LEASE_TTL_MS: count(6_000),
  LEASE_HEARTBEAT_MS: count(2_000),
  SWEEP_INTERVAL_MS: count(60_000),
  /** How long a worker that is asked to stop waits for its sessions to come to a step's end. A shutdown as a whole has 30 s. */
  DRAIN_MS: count(25_000).pipe(z.number().max(25_000, "must be at most 25000")),
  UPLOAD_MAX_MB: count(200),
  OIDC_ISSUER: z.url("must be an address").optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_NAME: text.optional(),
  SIGNUP_OPEN: flag("1"),
  /** For the seed: the demo person's password. In production there is no demo organisation without it. */
  GANTRY_DEMO_PASSWORD: z.string().min(8, "must have 8 characters or more").optional(),
  /** Clones and model providers inside private networks, on other ports, providers over http too: for an installation that has its own, and for tests. */
  GANTRY_ALLOW_PRIVATE_HOSTS: flag("0"),
  /** PEM file with certificate authorities that clones believe beside the system's own. */
  GANTRY_EXTRA_CA_FILE: folder.optional(),
});

export const envVariables = Object.keys(all.shape);
export const logSchema = z.object(log);
export const brokerSchema = z.object({ ...log, ...sandbox }).transform(withPaths);
export const envSchema = all
  .superRefine((env, ctx) => {
    if (env.LEASE_HEARTBEAT_MS * 2 > env.LEASE_TTL_MS)
      ctx.addIssue({ code: "custom", path: ["LEASE_HEARTBEAT_MS"], message: "must be at most half of LEASE_TTL_MS" });
    const missing = oidcNames.filter((name) => env[name] === undefined);
    if (missing.length > 0 && missing.length < oidcNames.length)
      for (const name of missing) ctx.addIssue({ code: "custom", path: [name], message: "is missing; set all OIDC_ variables or none" });
  })
  .transform(withPaths);

export type Env = z.infer<typeof envSchema>;
export type BrokerEnv = z.infer<typeof brokerSchema>;
export type LogEnv = z.infer<typeof logSchema>;

function withPaths<
  T extends { GANTRY_DATA_DIR: string; GANTRY_BROKER_SOCKET?: string | undefined; GANTRY_SANDBOXD_DIR?: string | undefined },
>(env: T) {
  return {
    ...env,
    GANTRY_BROKER_SOCKET: env.GANTRY_BROKER_SOCKET ?? join(env.GANTRY_DATA_DIR, "run", "broker.sock"),
    GANTRY_SANDBOXD_DIR: env.GANTRY_SANDBOXD_DIR ?? join(env.GANTRY_DATA_DIR, "sandboxd"),
  };
}
