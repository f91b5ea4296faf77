import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, loadEnv, newId, overrideEnv } from "@gantry/platform";

/**
 * Settings for one test file: the given Postgres and Redis, and for the rest values of its own, so that files which run at the same time share
 * no queue, channel, key or folder. @throws Error naming DATABASE_URL or REDIS_URL when no services are given
 */
export function testEnv(values: Readonly<Record<string, string>> = {}): Env {
  const dataDir = mkdtempSync(join(tmpdir(), "gantry-test-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  overrideEnv({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    NEXTAUTH_URL: "http://localhost:3000",
    NEXTAUTH_SECRET: randomBytes(32).toString("base64"),
    GANTRY_MASTER_KEY: randomBytes(32).toString("base64"),
    GANTRY_DATA_DIR: dataDir,
    GANTRY_BROKER_SOCKET: "",
    GANTRY_SANDBOXD_DIR: "",
    REDIS_PREFIX: `test-${newId()}`,
    ...values,
  });
  return loadEnv();
}
