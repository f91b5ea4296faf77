import { AppError } from "@gantry/contracts";
import { type CancelCause, Cancelled, causeOf } from "./cancel.ts";

type Activity = { readonly kind: "turns" | "maintenance"; abort: AbortController };
type Hooks = {
  /** runs turns until nothing may follow; takes a fresh signal for each of them */
  readonly drive: (nextSignal: () => AbortSignal) => Promise<void>;
  /** whether a wish that was remembered still has something to run */
  readonly hasWork: () => boolean;
  readonly onStatus: (status: "idle" | "running") => void;
  readonly onError: (error: unknown) => void;
};

/** What an agent is doing: nothing, turns, or one maintenance job (specs/agent-core §2.4). */
export class Phase {
  private readonly hooks: Hooks;
  private activity: Activity | null = null;
  private wakeLatched = false;
  /** a wish since the running turn last counted those that it serves: nobody reads the inbox for it any more */
  private isLate = false;
  /** set for good: an activity that would begin after it, in whatever gap, does not */
  private isStopped = false;
  /** as `isStopped`, but what runs goes on until its next boundary */
  private isLeaving = false;
  private settled: PromiseWithResolvers<void> | null = null;
  private readonly beside = new Map<AbortController, Promise<void>>();

  constructor(hooks: Hooks) {
    this.hooks = hooks;
  }

  /** Maintenance reads as idle: it is no turn. */
  get status(): "idle" | "running" {
    return this.activity?.kind === "turns" ? "running" : "idle";
  }
  get isFree(): boolean {
    return this.activity === null && this.mayGoOn;
  }
  /** Turns or maintenance run. */
  get isBusy(): boolean {
    return this.activity !== null;
  }
  get isAborted(): boolean {
    return this.activity?.abort.signal.aborted ?? false;
  }
  get mayGoOn(): boolean {
    return !this.isStopped && !this.isLeaving;
  }

  /** A wish from after a stop: what waits is for a turn of its own, here or with the next holder. */
  get isWished(): boolean {
    return this.wakeLatched;
  }

  /** Starts the driver, or remembers the wish while the current activity cannot take it (PHA-1). */
  wake(): void {
    if (this.isStopped) return;
    if (!this.activity) {
      if (this.mayGoOn) this.startTurns();
    } else if (this.activity.abort.signal.aborted) this.wakeLatched ||= causeOf(this.activity.abort.signal) !== "disposed";
    else if (this.activity.kind === "maintenance") this.wakeLatched = true;
    else this.isLate = true;
  }

  /** The running turn ends: what it left waiting stays, whoever wished for it so far (LOP-5); a wish from here on is remembered. */
  settleWakes(): void {
    this.isLate = false;
  }

  /** Drops a remembered wish. */
  forgetWake(): void {
    this.wakeLatched = false;
    this.isLate = false;
  }

  /** Aborts the current activity and what runs beside it; the first cause stays (PHA-2). */
  abort(cause: CancelCause): void {
    if (!this.isAborted) this.isLate = false; // it came before the stop (PHA-2)
    for (const abort of [this.activity?.abort, ...this.beside.keys()]) abort?.abort(new Cancelled(cause));
  }

  /** Lets nothing begin any more; what runs goes on until it calls `leaveIfAsked`. */
  leave(): void {
    this.isLeaving = true;
  }
  leaveIfAsked(): void {
    if (this.isLeaving) this.stop("released");
  }

  /** Aborts, and lets nothing begin any more. */
  stop(cause: CancelCause): void {
    this.isStopped = true;
    this.abort(cause);
  }

  /**
   * Runs a job that no turn may overlap; wakes wait for its end (PHA-4).
   * @throws AppError CONFLICT at once when the agent is not idle
   */
  maintain<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.isFree) throw new AppError("CONFLICT", "The agent has active work already. Wait until it is idle.");
    const { signal } = this.begin("maintenance").abort;
    const work = (async () => job(signal))();
    const done = () => this.end();
    work.then(done, done);
    return work;
  }

  /** Runs work that is no activity of its own, such as a human command; `whenIdle` waits for it and `abort` reaches it. */
  runBeside<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    if (this.isStopped) abort.abort(new Cancelled("released"));
    const work = job(abort.signal);
    const done = () => void this.beside.delete(abort);
    this.beside.set(abort, work.then(done, done));
    return work;
  }

  /** Resolves when nothing runs and nothing replaced it meanwhile (PHA-5). */
  async whenIdle(): Promise<void> {
    while (this.settled || this.beside.size > 0) await (this.settled?.promise ?? Promise.all(this.beside.values()));
  }

  private startTurns(wasRunning = false): void {
    const activity = this.begin("turns");
    if (!wasRunning) this.hooks.onStatus("running");
    let isFirst = true;
    const nextSignal = () => {
      if (!isFirst) activity.abort = new AbortController();
      isFirst = false;
      return activity.abort.signal;
    };
    const done = () => this.end();
    this.hooks.drive(nextSignal).then(done, (error: unknown) => {
      this.hooks.onError(error);
      done();
    });
  }

  private begin(kind: Activity["kind"]): Activity {
    this.settled = Promise.withResolvers<void>();
    this.activity = { kind, abort: new AbortController() };
    return this.activity;
  }

  private end(): void {
    const { settled } = this;
    const wasRunning = this.status === "running";
    const again = (this.wakeLatched || this.isLate) && this.mayGoOn && this.hooks.hasWork();
    this.activity = null;
    this.forgetWake();
    this.settled = null;
    if (again) this.startTurns(wasRunning);
    else if (wasRunning) this.hooks.onStatus("idle");
    settled?.resolve();
  }
}
