import {
  type Activity,
  AppError,
  type CallConfig,
  type EventDraft,
  isAppError,
  type LiveFrame,
  type Message,
  type OrgId,
  type SessionEvent,
  type SessionId,
  type UserId,
} from "@gantry/contracts";
import { type Context, scopeTarget } from "@gantry/kernel";
import type { SandboxMode, World } from "@gantry/sandbox";
import type { SiblingWorld, ToolAgent } from "@gantry/tools";
import type { LiveAgent } from "../agents/agent.ts";
import { within } from "../presets/within.ts";
import { Inbox, type InboxChange, type InboxTarget } from "../session/inbox.ts";
import { type LogWriter, SessionLog } from "../session/log.ts";
import { unpark } from "../session/parked.ts";
import type { Redact } from "../session/redact-secrets.ts";
import { type CancelCause, causeOf, isReleased } from "./cancel.ts";
import { endWaiting } from "./end-waiting.ts";
import type { SessionStartSource } from "./events.ts";
import { Phase } from "./phase.ts";
import { runTurn } from "./turn.ts";

export type AgentOptions = {
  orgId: OrgId;
  sessionId: SessionId;
  userId: UserId;
  epoch: number;
  /** what plugins may remember a workspace by; absent: they remember nothing of it */
  workspaceId?: string;
  events: readonly SessionEvent[];
  /** of a fork: how many of them were copied from its source */
  seedLength?: number;
  route: CallConfig;
  mode: SandboxMode;
  write: LogWriter;
  /** cuts out of each event what nobody may see (CP-35) */
  redact?: Redact;
  publish: (frame: LiveFrame) => void;
  /** the session's world, in the given mode: one of another mode is ended first */
  openWorld: (agent: Agent, mode: SandboxMode) => Promise<World>;
  /** absent: the host opens no second world, so no call gets wider permissions */
  openSibling?: (agent: Agent, mode: SandboxMode, signal: AbortSignal | undefined) => Promise<SiblingWorld>;
  onWriteError?: (error: unknown) => void;
  /** told once when another worker took the session: nothing may be written any more (SES-30) */
  onFenced?: () => void;
};

/** What may be set of the loop. */
export type Tuning = { readonly maxParallelToolCalls: number };

/**
 * One live driver bound to one session (agent id = session id): an inbox, a phase and a log (specs/agent-core §2). The session is held by one
 * worker at a time, under `epoch` (AGT-7).
 */
export class Agent implements ToolAgent, LiveAgent {
  /** the agent is the key of its own scope (C-1) */
  readonly scope = this;
  readonly orgId: OrgId;
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly epoch: number;
  /** how many events of the log a fork copied from its source; 0 for other sessions (SES-23) */
  readonly seedLength: number;
  readonly route: CallConfig;
  readonly cwd = "/workspace" as const;
  readonly log: SessionLog;
  readonly inbox: Inbox;
  /** whether this loop instance has logged a request header yet (STP-3) */
  hasLoggedHeader = false;
  private readonly options: AgentOptions;
  private readonly tuned: { get(): Tuning };
  private scopeCtx: Context | null = null;
  private readonly phase: Phase;
  private opening: { readonly mode: SandboxMode; readonly world: Promise<World>; up: World | null } | null = null;
  private worldMode: SandboxMode | null = null;
  private shown: Activity = { kind: "idle", since: 0 };
  private hasPromised = false;

  /** @param tuned asked at each use, so that a change holds for what begins after it */
  constructor(options: AgentOptions, tuned: { get(): Tuning }) {
    this.options = options;
    this.tuned = tuned;
    this.orgId = options.orgId;
    this.sessionId = options.sessionId;
    this.userId = options.userId;
    this.epoch = options.epoch;
    this.seedLength = options.seedLength ?? 0;
    this.route = options.route;
    this.log = new SessionLog({
      events: options.events,
      write: options.write,
      ...(options.redact ? { redact: options.redact } : {}),
      onAppend: (event) => this.ctx.emit(scopeTarget(this), "session/event", { agent: this, event }),
      onCommitted: (events) => {
        for (const event of events) options.publish({ kind: "event", event });
      },
      onFenced: () => {
        this.phase.stop("released");
        options.onFenced?.();
      },
      ...(options.onWriteError ? { onWriteError: options.onWriteError, onObserverError: options.onWriteError } : {}),
    });
    // what waited in the source of a fork waits there (SES-24)
    this.inbox = new Inbox(options.events.slice(this.seedLength), {
      append: (draft) => this.log.append(draft),
      notify: (change, message) => this.tellInbox(change, message),
    });
    this.phase = new Phase({
      drive: (nextSignal) => this.ctx.agents.initiatedBy(this, () => this.drive(nextSignal)), // AGT-6
      hasWork: () => !this.log.isFenced && (this.log.step > 0 ? !this.isWaiting : !this.inbox.isEmpty),
      onStatus: (status) => this.emitStatus(status),
      onError: (error) => {
        if (!isAppError(error, "LEASE_LOST")) options.onWriteError?.(error);
      },
    });
  }

  /** The agent's own scope: what is registered through it is seen by this agent only (AGT-5). Set once, while the agent is made. */
  get ctx(): Context {
    if (!this.scopeCtx) throw new Error("the agent has no scope yet");
    return this.scopeCtx;
  }
  bind(ctx: Context): void {
    this.scopeCtx = ctx;
  }
  /** Tells those who listen where the session comes from (AGT-2). */
  start(): void {
    this.emitStart(this.options.events.length > 0 ? "resume" : "startup");
  }
  emitStart(source: SessionStartSource): void {
    this.ctx.emit(scopeTarget(this), "agent/session-start", { agent: this, source });
  }
  /**
   * Asks the agent to end at its next step boundary without writing more, as if its worker had died there (REC-4). Messages and wakes are
   * taken and stay for the next holder.
   */
  leave(): void {
    this.phase.leave();
  }
  /** Between two steps: ends the turn here, unwritten, when the agent is leaving. */
  leaveIfAsked(): void {
    this.phase.leaveIfAsked();
  }
  /** Stops without writing anything (INT-1) and waits until the driver has ended. */
  async stop(): Promise<void> {
    this.phase.stop("released");
    await this.whenIdle();
  }

  get status(): "idle" | "running" {
    return this.phase.status;
  }
  /** Neither turns nor maintenance run, and either may begin. */
  get isFree(): boolean {
    return this.phase.isFree;
  }
  /** A question to a person is open. While nothing runs this means that the session waits for the answer, and for nothing else. */
  get isWaiting(): boolean {
    const { turn, open } = this.log;
    return turn > 0 && open.approvals.size + open.questions.size > 0;
  }
  /** What holds where the log says nothing else. */
  get defaultMode(): SandboxMode {
    return this.options.mode;
  }
  /** What the next call may touch; bodies that run keep the world they have (PRM-5). */
  sandboxMode(): SandboxMode {
    return this.log.last("sandbox/mode")?.data.mode ?? this.options.mode;
  }
  history(): readonly SessionEvent[] {
    return this.log.events;
  }
  append(draft: EventDraft): SessionEvent {
    return this.log.append(draft);
  }
  publish(frame: LiveFrame): void {
    this.options.publish(frame);
  }
  showActivity(activity: Activity): void {
    this.shown = activity;
    this.options.publish({ kind: "activity", activity });
  }
  /** What people were told last that it does. */
  get activity(): Activity {
    return this.shown;
  }

  /**
   * The session's container, started on first use; a failed start is tried again at the next call. The start belongs to all who ask: the signal ends the
   * wait of the one who gave it. @throws AppError SANDBOX_START, ENGINE_DOWN; the signal's reason
   */
  world(signal?: AbortSignal): Promise<World> {
    const mode = this.worldMode ?? this.sandboxMode();
    if (this.opening?.mode !== mode || this.opening.up?.isOpen === false) this.opening = this.openWorld(mode);
    return within(this.opening.world, signal);
  }
  get maxParallelToolCalls(): number {
    return this.tuned.get().maxParallelToolCalls;
  }
  get workspaceId(): string | undefined {
    return this.options.workspaceId;
  }
  /** The session's world runs, so that what asks it does not wait for a start. */
  get isWorldUp(): boolean {
    return this.opening?.up?.isOpen ?? false;
  }
  /** Called where no body runs: those that begin from here on work in a world of the mode that holds now (PRM-5). */
  takeMode(): void {
    this.worldMode = this.sandboxMode();
  }
  /** A second world of another mode on the same files, for one call (ESC-2); whoever opened it ends it. @throws as `world` */
  async openSibling(mode: SandboxMode, signal?: AbortSignal): Promise<SiblingWorld> {
    const { openSibling } = this.options;
    if (!openSibling) throw new AppError("SANDBOX_START", "A sandbox with wider permissions cannot be started here.");
    return openSibling(this, mode, signal);
  }
  private openWorld(mode: SandboxMode) {
    const world = this.options.openWorld(this, mode);
    const opening = { mode, world, up: null as World | null };
    const forget = () => {
      if (this.opening === opening) this.opening = null;
    };
    world.then((up) => {
      opening.up = up;
    }, forget);
    return opening;
  }

  /** Queues a message (INB-7). A waking send while the current activity is aborted goes to the next turn and is latched (INB-8). */
  send(message: Message, target: InboxTarget, wakeup: boolean): void {
    this.inbox.push(wakeup && this.phase.isAborted ? "next-turn" : target, message);
    if (wakeup) this.wake();
  }

  /** Starts the driver, or remembers the wish while maintenance or a cancelled activity ends (PHA-1). Nothing while a person has to answer first. */
  wake(): void {
    if (!(this.phase.isFree && this.isWaiting)) this.phase.wake();
  }

  /** Called where a turn's end is logged. */
  settleWakes(): void {
    this.phase.settleWakes();
  }
  /** What the session's row says behind a turn that ended without a fault: that it works, where a message from after a stop is still to be run (REC-6). */
  statusAfterTurn(): "working" | "idle" {
    this.hasPromised = this.phase.isWished && !this.inbox.isEmpty;
    return this.hasPromised ? "working" : "idle";
  }

  /** Aborts what runs; without `keepInbox` also drops what waits (PHA-2). Idempotent. After `disposed` nothing begins any more. */
  cancel(cause: CancelCause, options: { keepInbox?: boolean } = {}): void {
    if (!options.keepInbox) {
      this.phase.forgetWake();
      this.outsideObservers(() => this.clearInbox());
    }
    if (this.status === "running" && !this.phase.isAborted) {
      this.showActivity({ kind: "stopping", since: Date.now() });
      // durable with the command that asked for it, so that no worker goes on with a turn that a person has stopped (REC-10)
      if (cause === "user") this.log.show({ status: "stopping" });
    }
    if (cause === "user" && this.status === "idle") unpark(this);
    const isLaidDown = !this.phase.isBusy && this.log.step > 0 && !this.log.isFenced;
    if (cause === "disposed") this.phase.stop(cause);
    else this.phase.abort(cause);
    if (isLaidDown && cause !== "released") this.outsideObservers(() => endWaiting(this, cause));
  }

  /** Runs a job that no turn may overlap; `cancel` aborts it, wakes wait for its end (PHA-4). @throws AppError CONFLICT at once when not idle */
  runMaintenance<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.isWaiting) throw new AppError("CONFLICT", "The session waits for a person's answer. Give it, or stop the turn, first.");
    return this.phase.maintain(job);
  }

  /** Runs a human command's work beside turns: `whenIdle` waits for it, `cancel` and `stop` abort it. */
  runBeside<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.phase.runBeside(job);
  }

  /** Resolves when the agent is idle and nothing replaced the activity meanwhile (PHA-5). */
  whenIdle(): Promise<void> {
    return this.phase.whenIdle();
  }

  /** Turns follow each other while they complete and messages wait; anything else parks the rest (LOP-5). */
  private async drive(nextSignal: () => AbortSignal): Promise<void> {
    for (;;) {
      const signal = nextSignal();
      this.hasPromised = false; // it is kept now
      const outcome = await runTurn(this, signal);
      if (this.log.isFenced || isReleased(signal)) return;
      if (signal.aborted) {
        const cause = causeOf(signal);
        // stopped while the step was being laid down, answered or not; after the turn's end there is nothing to end, and nothing follows (PHA-2)
        if (this.log.step > 0 && cause !== "released") endWaiting(this, cause);
        return;
      }
      if (this.isWaiting) return;
      const isAnswered = this.log.step > 0; // meanwhile
      if (!this.phase.mayGoOn || (!isAnswered && (outcome !== "completed" || this.inbox.isEmpty))) return;
    }
  }

  /** An observer of the log may cancel, but not append. */
  private outsideObservers(work: () => void): void {
    if (this.log.isPublishing) queueMicrotask(work);
    else work();
  }

  private clearInbox(): void {
    if (!this.log.isFenced) this.inbox.clear();
  }

  private tellInbox(change: InboxChange, message: Message): void {
    if (change === "claimed") this.ctx.emit(scopeTarget(this), "agent/inbox/claimed", { agent: this, message, turn: this.log.turn });
    else this.ctx.emit(scopeTarget(this), `agent/inbox/${change}`, { agent: this, message });
  }

  private emitStatus(status: "idle" | "running"): void {
    if (status === "idle") {
      this.showActivity({ kind: "idle", since: Date.now() });
      // taken back since; where this worker leaves, the next one keeps the promise
      if (this.hasPromised && this.phase.mayGoOn) this.log.show({ status: "idle" });
    } else this.takeMode();
    this.ctx.emit(scopeTarget(this), "agent/status", { agent: this, status });
  }
}
