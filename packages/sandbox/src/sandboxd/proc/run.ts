import type { ChildProcess } from "node:child_process";
import type { RunArgs } from "../../protocol/ops.ts";
import type { RunResult } from "../../types.ts";
import { GroupEnd } from "./group.ts";
import { Increments, type OutputListener } from "./increments.ts";
import { oomKills } from "./oom.ts";
import { TailCapture } from "./tail.ts";

/**
 * One running command. Its output is read to the end whoever listens, so it never blocks on us. It ends when its pipes close, or the grace
 * after its exit when a grandchild holds them. The first cause of an end wins: deadline or abort, never both.
 */
export class Run {
  readonly result: Promise<RunResult>;
  onOutput: OutputListener | null = null;
  private readonly child: ChildProcess & { pid: number };
  private readonly graceMs: number;
  private readonly group: GroupEnd;
  private readonly stdout: TailCapture;
  private readonly stderr: TailCapture;
  private readonly increments: Increments;
  private readonly oomAtStart = oomKills();
  private cause: "deadline" | "abort" | null = null;
  private hasExited = false;
  private deadline: NodeJS.Timeout | undefined;
  private drain: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess & { pid: number }, args: RunArgs) {
    this.child = child;
    this.graceMs = args.graceMs;
    this.group = new GroupEnd(child.pid, args.graceMs);
    this.stdout = new TailCapture(args.maxBytes, args.spillMaxBytes);
    this.stderr = new TailCapture(args.maxBytes, args.spillMaxBytes);
    this.increments = new Increments((stream, text, lost) => this.onOutput?.(stream, text, lost) ?? true);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream]?.on("data", (chunk: Buffer) => {
        this[stream].add(chunk);
        if (this.onOutput) this.increments.add(stream, chunk);
      });
      child[stream]?.on("error", () => {}); // a broken pipe ends like a closed one
    }
    if (args.timeoutMs !== null) this.deadline = setTimeout(() => this.end("deadline"), args.timeoutMs);
    this.result = new Promise((resolve) => this.settleWith(resolve));
  }

  /** Ends the whole group; after the exit it does nothing, as the number may belong to another process by then. */
  end(cause: "deadline" | "abort"): void {
    if (this.hasExited) return;
    this.cause ??= cause;
    this.group.start();
  }

  private settleWith(resolve: (result: RunResult) => void): void {
    let exit: { code: number | null; signal: NodeJS.Signals | null } = { code: null, signal: null };
    const settle = () => {
      clearTimeout(this.drain);
      this.child.stdout?.destroy();
      this.child.stderr?.destroy();
      this.increments.flush();
      resolve(this.describe(exit.code, exit.signal));
    };
    this.child.once("exit", (code, signal) => {
      this.hasExited = true;
      clearTimeout(this.deadline);
      exit = { code, signal };
      // a killed group gets the time of its own escalation first
      this.drain = setTimeout(settle, this.cause ? this.graceMs + 500 : this.graceMs);
    });
    this.child.once("close", settle);
  }

  private describe(exitCode: number | null, signal: NodeJS.Signals | null): RunResult {
    return {
      exitCode,
      signal,
      timedOut: this.cause === "deadline",
      aborted: this.cause === "abort",
      outOfMemory: oomKills() > this.oomAtStart,
      stdout: this.stdout.finish(),
      stderr: this.stderr.finish(),
    };
  }
}
