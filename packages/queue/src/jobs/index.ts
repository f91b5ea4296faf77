import type { DefinedJob, JobPayload } from "../define-job.ts";
import { importWorkspace } from "./import-workspace.ts";
import { sweepSessions } from "./sweep-sessions.ts";
import { wakeSession } from "./wake-session.ts";

export { importWorkspace, sweepSessions, wakeSession };

/** Every queue job of the installation, by name. */
export const jobs = {
  "session.wake": wakeSession,
  "session.sweep": sweepSessions,
  "workspace.import": importWorkspace,
} as const satisfies { readonly [name: string]: DefinedJob };

export type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type PayloadOf<N extends JobName> = JobPayload<Jobs[N]>;
