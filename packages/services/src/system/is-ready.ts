import { withSystem } from "@gantry/db";
import type { ServiceDeps } from "../context.ts";

/** Whether the stores behind this process answer right now. */
export async function isReady(deps: ServiceDeps): Promise<{ database: boolean; live: boolean }> {
  try {
    await withSystem((tx) => tx.$queryRaw`SELECT 1`, { timeoutMs: 2_000 });
    return { database: true, live: deps.feed.isUp() };
  } catch (err) {
    deps.log.warn({ err }, "not ready: Postgres does not answer");
    return { database: false, live: deps.feed.isUp() };
  }
}
