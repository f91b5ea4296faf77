import { FsError } from "@gantry/sandbox/seams";
import { deniedMarker, escalationHint } from "../escalation/markers.ts";

const remedies = { FS_STALE_VERSION: " — re-read the file, then retry", FS_NOT_OBSERVED: " — read the file, then retry" } as const;

/** The same error with the way out appended, for the two codes that have one; everything else unchanged. */
export function withRemedy(error: unknown): unknown {
  if (!(error instanceof FsError) || !(error.code in remedies)) return error;
  return new FsError(error.code, error.message + remedies[error.code as keyof typeof remedies], { cause: error });
}

/** The model must recognise a denial of the sandbox as policy: the marker in front, the code unchanged (EX-168). */
export function withDenialMarker(error: unknown, { mode, escalates }: { mode: string; escalates: boolean }): unknown {
  if (!(error instanceof FsError) || error.code !== "FS_SANDBOX_DENIED") return error;
  const hint = escalates ? `\n${escalationHint("operation")}` : "";
  return new FsError(error.code, `${deniedMarker(mode)}${hint}\n${error.message}`, { cause: error });
}
