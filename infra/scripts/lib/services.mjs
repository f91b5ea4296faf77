import { mkdirSync } from "node:fs";
import { ensureDocker } from "./docker.mjs";
import { ensurePostgres } from "./postgres.mjs";
import { step } from "./progress.mjs";
import { ensureRedis } from "./redis.mjs";
import { installationEnv } from "./services-env.mjs";

/**
 * Brings up Postgres, Redis and the Docker engine and says how to reach them.
 * @param {{ dataDir: string, ephemeral?: boolean, keep?: boolean, docker?: boolean, onStop: (name: string, stop: () => Promise<void>) => void }} options
 *   `onStop` receives the stop of each service as soon as it runs
 * @returns {Promise<{ env: Record<string, string>, docker: { available: boolean, remark: string } }>}
 */
export async function startServices({ dataDir, ephemeral, keep, docker: wantsDocker = true, onStop }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  let postgres;
  let redis;
  let docker = { available: false, remark: "not asked for" };
  await step("PostgreSQL", async () => {
    postgres = await ensurePostgres({ dataDir, ephemeral, keep });
    onStop("PostgreSQL", postgres.stop);
    return postgres.remark;
  });
  await step("Redis", async () => {
    redis = await ensureRedis({ dataDir, ephemeral, keep });
    onStop("Redis", redis.stop);
    return redis.remark;
  });
  if (wantsDocker) {
    await step("Docker", async () => {
      docker = await ensureDocker({ dataDir, keep });
      onStop("Docker", docker.stop);
      return docker.remark;
    });
  }
  return { env: installationEnv({ dataDir, postgres, redis }), docker };
}
