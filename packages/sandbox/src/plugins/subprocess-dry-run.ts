import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { RunUnknownError, SpawnError } from "../errors.ts";
import { SubprocessSeam, type WorldOwner } from "../seams.ts";
import type { RunOptions, RunResult, SandboxProc } from "../types.ts";

/** Characters of a command line that an answer repeats. */
const maxShownChars = 4_096;

/** Kernel service `subprocess` that starts nothing: it says what would run. No world is asked for, so no container starts either. */
class SubprocessDryRun extends SubprocessSeam {
  private readonly exitCode: number;

  constructor(ctx: Context, { exitCode }: { exitCode: number }) {
    super(ctx);
    this.exitCode = exitCode;
  }

  for(_owner: WorldOwner): SandboxProc {
    return { run: async (options) => this.answer(options) };
  }

  private answer({ argv, capture, signal, onOutput, join }: RunOptions): RunResult {
    if (!argv[0]) throw new SpawnError("There is no program to run: the first word of the command is missing.");
    if (join) throw new RunUnknownError("A dry run keeps no runs to join.");
    const isAborted = signal?.aborted === true;
    const text = isAborted ? "" : describe(argv);
    if (text !== "") onOutput?.({ stream: "stdout", text, lostBytes: 0 });
    const stdout = tailOf(text, capture.maxBytes);
    return {
      exitCode: isAborted ? null : this.exitCode,
      signal: null,
      timedOut: false,
      aborted: isAborted,
      outOfMemory: false,
      stdout,
      stderr: { text: "", truncated: false },
    };
  }
}

export const name = "subprocess-dry-run";
export const Config = z.strictObject({ exitCode: z.int().min(0).max(255).default(0) });
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  new SubprocessDryRun(ctx, config);
}

function describe(argv: readonly string[]): string {
  const line = argv.join(" ");
  return `dry run: would run ${line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line}\n`;
}

/** The last bytes of a text, cut between characters. */
function tailOf(text: string, maxBytes: number): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  let start = bytes.length - maxBytes;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++; // inside a character
  return { text: bytes.subarray(start).toString("utf8"), truncated: true };
}
