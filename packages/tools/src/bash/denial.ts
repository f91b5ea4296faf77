import type { SandboxMode } from "@gantry/sandbox/seams";

/** What the C library prints for EROFS: confined modes are read-only mounts, so this is their signature on stderr. */
const signature = /read-only file system/i;

/**
 * Whether the sandbox refused a file access: an inference, made only for a confined command that failed by itself with the signature
 * of a read-only mount. A plain "Permission denied" is an ordinary mode bit and says nothing about the sandbox.
 */
export function isDenied(mode: SandboxMode, end: { exitCode: number | null; signal: string | null; stderr: string }): boolean {
  if (mode === "danger-full-access" || end.signal !== null) return false;
  return end.exitCode !== null && end.exitCode !== 0 && signature.test(end.stderr);
}
