import { spawn } from "node:child_process";
import type { OrgId, SessionId } from "@gantry/contracts";
import { loadEnv, newId } from "@gantry/platform";
import type { QueueHandlers } from "../src/index.ts";

export const idle: QueueHandlers = { "session.wake": async () => {}, "session.sweep": async () => {}, "workspace.import": async () => {} };
export const ids = () => ({ orgId: newId<OrgId>(), sessionId: newId<SessionId>() });

/** A worker process on this file's queues whose `session.wake` runs `handler`, the text of a function. */
export function workerProcess(handler: string) {
  const program = `
    import { startQueueWorker } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const idle = async () => {};
    await startQueueWorker({ "session.wake": ${handler}, "session.sweep": idle, "workspace.import": idle });`;
  const { DATABASE_URL, NEXTAUTH_SECRET, NEXTAUTH_URL, GANTRY_DATA_DIR, REDIS_PREFIX, REDIS_URL, GANTRY_MASTER_KEY } = loadEnv();
  const settings = { DATABASE_URL, NEXTAUTH_SECRET, NEXTAUTH_URL, GANTRY_DATA_DIR, REDIS_PREFIX, REDIS_URL, LOG_LEVEL: "silent" };
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...settings, GANTRY_MASTER_KEY: GANTRY_MASTER_KEY.toString("base64") },
  });
}

/** Polls a state, between turns of the event loop; the test's own limit ends it. */
export async function until(state: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await state())) await new Promise(setImmediate);
}
