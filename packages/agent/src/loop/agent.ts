import {
  type Activity,
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
import type { ToolAgent } from "@gantry/tools";
import type { LiveAgent } from "../agents/agent.ts";
import { Inbox, type InboxTarget } from "../session/inbox.ts";
import { type LogWriter, SessionLog } from "../session/log.ts";
import { type CancelCause, Cancelled, causeOf } from "./cancel.ts";
import "./events.ts";
import { runTurn } from "./turn.ts";

export type AgentOptions = {
  orgId: OrgId;
  sessionId: SessionId;
  userId: UserId;
  epoch: number;
  events: readonly SessionEvent[];
  route: CallConfig;
  mode: SandboxMode;
  write: LogWriter;
  publish: (frame: LiveFrame) => void;
  openWorld: (agent: Agent, signal: AbortSignal | undefined) => Promise<World>;
  onWriteError?: (error: unknown) => void;
  /** told once when another worker took the session: nothing may be written any more (SES-30) */
  onFenced?: () => void;
};

type Running = { abort: AbortController };

/** One live driver bound to one session (agent id = session id): an inbox, a phase and a log (specs/agent-core §2). */
export class Agent implements ToolAgent, LiveAgent {
  /** the agent is the key of its own scope (C-1) */
  readonly scope = this;
  readonly orgId: OrgId;
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly epoch: number;
  readonly route: CallConfig;
  readonly cwd = "/workspace" as const;
  readonly log: SessionLog;
  readonly inbox: Inbox;
  /** whether this loop instance has logged a request header yet (STP-3) */
  hasLoggedHeader = false;
  private readonly options: AgentOptions;
  private scopeCtx: Context | null = null;
  private running: Running | null = null;
  private wakeLatched = false;
  /** set for good by `stop`: a turn that would begin after it, in whatever gap, does not */
  private isStopped = false;
  private opening: Promise<World> | null = null;
  private settled: PromiseWithResolvers<void> | null = null;

  constructor(options: AgentOptions) {
    this.options = options;
    this.orgId = options.orgId;
    this.sessionId = options.sessionId;
    this.userId = options.userId;
    this.epoch = options.epoch;
    this.route = options.route;
    this.log = new SessionLog({
      events: options.events,
      write: options.write,
      onAppend: (event) => this.ctx.emit(scopeTarget(this), "session/event", { agent: this, event }),
      onCommitted: (events) => {
        for (const event of events) options.publish({ kind: "event", event });
      },
      onFenced: () => {
        this.running?.abort.abort(new Cancelled("disposed"));
        options.onFenced?.();
      },
      ...(options.onWriteError ? { onWriteError: options.onWriteError } : {}),
    });
    this.inbox = new Inbox(options.events, (draft) => this.log.append(draft));
  }

  /** The agent's own scope: what is registered through it is seen by this agent only (AGT-5). Set once, while the agent is made. */
  get ctx(): Context {
    if (!this.scopeCtx) throw new Error("the agent has no scope yet");
    return this.scopeCtx;
  }
  bind(ctx: Context): void {
    this.scopeCtx = ctx;
  }
  /** Stops without writing anything (INT-1) and waits until the driver has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.running?.abort.abort(new Cancelled("disposed"));
    await this.whenIdle();
  }

  get status(): "idle" | "running" {
    return this.running ? "running" : "idle";
  }
  sandboxMode(): SandboxMode {
    return this.options.mode;
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
    this.options.publish({ kind: "activity", activity });
  }

  /** The session's container, started on first use; a failed start is tried again at the next call. @throws AppError SANDBOX_START, ENGINE_DOWN */
  world(signal?: AbortSignal): Promise<World> {
    this.opening ??= this.openWorld(signal);
    return this.opening;
  }
  private openWorld(signal: AbortSignal | undefined): Promise<World> {
    const opening = this.options.openWorld(this, signal);
    const forget = () => {
      if (this.opening === opening) this.opening = null;
    };
    opening.then((world) => world.closed.then(forget, forget), forget);
    return opening;
  }

  /** Queues a message (INB-7). A waking send while the current activity is aborted goes to the next turn and is latched (INB-8). */
  send(message: Message, target: InboxTarget, wakeup: boolean): void {
    const aborted = this.running?.abort.signal.aborted ?? false;
    this.inbox.push(wakeup && aborted ? "next-turn" : target, message);
    if (wakeup) this.wake();
  }

  /** Starts the driver, or remembers the wish while the current activity is being cancelled (PHA-1). */
  wake(): void {
    if (this.isStopped) return;
    if (!this.running) this.begin();
    else if (this.running.abort.signal.aborted && causeOf(this.running.abort.signal) !== "disposed") this.wakeLatched = true;
  }

  /** Aborts the current turn; without `keepInbox` also drops what waits (PHA-2). Idempotent. */
  cancel(cause: CancelCause, options: { keepInbox?: boolean } = {}): void {
    if (!options.keepInbox) {
      this.inbox.clear();
      this.wakeLatched = false;
    }
    if (this.running && !this.running.abort.signal.aborted) this.showActivity({ kind: "stopping", since: Date.now() });
    this.running?.abort.abort(new Cancelled(cause));
  }

  /** Resolves when the agent is idle and nothing replaced the activity meanwhile (PHA-5). */
  async whenIdle(): Promise<void> {
    while (this.settled) await this.settled.promise;
  }

  private begin(): void {
    this.settled = Promise.withResolvers<void>();
    this.running = { abort: new AbortController() };
    this.emitStatus("running");
    const done = () => {
      this.running = null;
      const again = this.wakeLatched && !this.inbox.isEmpty && !this.log.isFenced && !this.isStopped;
      this.wakeLatched = false;
      const { settled } = this;
      this.settled = null;
      if (again) this.begin();
      else this.emitStatus("idle");
      settled?.resolve();
    };
    this.drive().then(done, (error: unknown) => {
      if (!isAppError(error, "LEASE_LOST")) this.options.onWriteError?.(error);
      done();
    });
  }

  /** Turns follow each other while they complete and messages wait; anything else parks the rest (LOP-5). */
  private async drive(): Promise<void> {
    for (;;) {
      const running = { abort: new AbortController() };
      this.running = running;
      const outcome = await runTurn(this, running.abort.signal);
      if (this.isStopped || this.log.isFenced || outcome !== "completed" || this.inbox.isEmpty) return;
    }
  }

  private emitStatus(status: "idle" | "running"): void {
    if (status === "idle") this.showActivity({ kind: "idle", since: Date.now() });
    this.ctx.emit(scopeTarget(this), "agent/status", { agent: this, status });
  }
}
