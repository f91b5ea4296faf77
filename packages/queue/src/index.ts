export type { DefinedJob, JobPayload } from "./define-job.ts";
export { importWorkspace, type JobName, type Jobs, sweepSessions, wakeSession } from "./jobs/index.ts";
export { createProducer, type Producer } from "./producer.ts";
export { type HandlerContext, type QueueHandlers, type QueueWorker, startQueueWorker } from "./worker.ts";
