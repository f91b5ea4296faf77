import { withSystem } from "@gantry/db";
import type { ServiceDeps } from "../context.ts";

/** Whether the database behind this process answers right now. */
export async function isReady(deps: Pick<ServiceDeps, "log">): Promise<{ database: boolean }> {
  try {
    await withSystem((tx) => tx.$queryRaw`SELECT 1`, { timeoutMs: 2_000 });
    return { database: true };
  } catch (err) {
    deps.log.warn({ err }, "not ready: Postgres does not answer");
    return { database: false };
  }
}
