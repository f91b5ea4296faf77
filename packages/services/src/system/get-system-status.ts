import type { InstallationStatus } from "@gantry/feed";
import type { ServiceContext } from "../context.ts";

export type SystemStatus = {
  /** false: Redis does not answer or is full, so no worker is told of new messages; what was accepted waits in Postgres */
  readonly isQueueUp: boolean;
  /** what the workers last reported; null when none has reported lately, or the report cannot be read */
  readonly installation: InstallationStatus | null;
  /** what an upload may have at most, so that a larger file is not sent in vain (CP-54) */
  readonly uploadMaxMb: number;
};

export async function getSystemStatus({ env, installationStatus, log }: ServiceContext): Promise<SystemStatus> {
  const uploadMaxMb = env.UPLOAD_MAX_MB;
  try {
    return { isQueueUp: true, installation: await installationStatus(), uploadMaxMb };
  } catch (err) {
    log.warn({ err }, "Redis does not answer, or takes no more");
    return { isQueueUp: false, installation: null, uploadMaxMb };
  }
}
