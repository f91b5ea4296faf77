export { createSandboxClient } from "./client/client.ts";
export type { EgressDecision, EgressOptions } from "./egress/gate.ts";
export { FsError, type FsErrorCode, fsErrorCodes, RunUnknownError, SpawnError } from "./errors.ts";
export { FsSeam, SubprocessSeam, type WorldOwner } from "./seams.ts";
export * from "./types.ts";
