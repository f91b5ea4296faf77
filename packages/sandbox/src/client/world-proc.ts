import type { CapturedStream, RunResult, SandboxProc } from "../types.ts";
import type { Channel } from "./channel.ts";

export const defaultGraceMs = 3_000;
/** The longest a timer of the platform can wait. */
const maxTimerMs = 2_147_483_647;

export function createWorldProc(channel: Channel, worldEnv: Readonly<Record<string, string>> = {}): SandboxProc {
  return {
    async run({ argv, cwd = "/workspace", env = {}, timeoutMs, graceMs = defaultGraceMs, capture, signal, onOutput, key, join = false }) {
      if (signal?.aborted) return neverStarted();
      const args = {
        argv,
        cwd,
        env: { ...worldEnv, ...env },
        timeoutMs: timeoutMs === undefined ? null : Math.min(timeoutMs, maxTimerMs),
        graceMs,
        maxBytes: capture.maxBytes,
        spillMaxBytes: capture.spillMaxBytes ?? 0,
        stream: onOutput !== undefined,
        key: key ?? null,
        join,
      };
      const result = await channel.request("proc.run", args, { signal, onOutput });
      return { ...result, stdout: captured(result.stdout), stderr: captured(result.stderr) };
    },
  };
}

function captured({ text, truncated, spillPath }: { text: string; truncated: boolean; spillPath?: string | undefined }): CapturedStream {
  return spillPath === undefined ? { text, truncated } : { text, truncated, spillPath };
}

/** An already aborted signal never spawns (D.1). */
function neverStarted(): RunResult {
  const empty = { text: "", truncated: false };
  return { exitCode: null, signal: null, timedOut: false, aborted: true, outOfMemory: false, stdout: empty, stderr: empty };
}
