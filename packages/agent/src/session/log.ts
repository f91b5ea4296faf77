import {
  AppError,
  type CommandId,
  type EventDraft,
  type EventType,
  isAppError,
  type PresetId,
  type SessionEvent,
  type SessionEventOf,
} from "@gantry/contracts";
import { LogInvariants, type OpenParts } from "./invariants.ts";
import type { NewPrompt } from "./prompts.ts";
import type { Redact } from "./redact-secrets.ts";
import { freezeDeep, sealDraft } from "./seal-draft.ts";
import { isSurfaceEvent, messageOf, Surface } from "./surface.ts";

/** What the session row shows of the log, written in the transaction of the batch that caused it. */
export type SessionPatch = {
  status?: string;
  title?: string;
  problem?: string | null;
  interruptions?: number;
  preset?: { presetId: PresetId; revision: number };
  permission?: string;
  /** after how many milliseconds it goes on by itself, null: not any more (CP-56) */
  wakeInMs?: number | null;
};
export type LogBatch = {
  nextSeq: number;
  events: SessionEvent[];
  consume: CommandId[];
  patch: SessionPatch;
  ledger: LedgerChange;
  prompts: PromptChanges;
};
/** Questions to people that the batch asks, and the ids of those that it ends. */
export type PromptChanges = { open: NewPrompt[]; close: string[] };
/** Calls, by the `seq` of their `tool/call`, whose bodies begin after this batch, and those that it brings the results of (REC-15). */
export type LedgerChange = { dispatched: number[]; finished: number[] };
/** Makes a batch durable in one fenced transaction. @throws AppError LEASE_LOST when another worker holds the session */
export type LogWriter = (batch: LogBatch) => Promise<void>;

type Options = {
  events: readonly SessionEvent[];
  write: LogWriter;
  /** cuts out of each event what nobody may see, before anything else sees it */
  redact?: Redact;
  onAppend?: (event: SessionEvent) => void;
  onCommitted?: (events: readonly SessionEvent[]) => void;
  onObserverError?: (error: unknown) => void;
  onFenced?: () => void;
  onWriteError?: (error: unknown) => void;
  now?: () => number;
};

/**
 * The live log of one session: authoritative in memory, written behind (SES-26). Writes are group commits: one batch is in
 * flight, the next takes all that gathered meanwhile. Events appended in one synchronous run always share a batch (SES-32).
 */
export class SessionLog {
  private readonly all: SessionEvent[];
  private readonly options: Options;
  private readonly invariants = new LogInvariants();
  readonly surface = new Surface();
  private readonly latest = new Map<EventType, SessionEvent>();
  private saved: number;
  private commands: CommandId[] = [];
  private patch: SessionPatch = {};
  private patched = false;
  private dispatching: number[] = [];
  private prompts: NewPrompt[] = [];
  private writing: Promise<void> | null = null;
  private scheduled = false;
  private paused = false;
  private publishing = false;
  private fenced = false;

  /** @throws AppError SESSION_CORRUPT when the stored events break an order rule (SES-28) */
  constructor(options: Options) {
    this.options = options;
    this.all = [...options.events];
    this.saved = this.all.length;
    for (const [index, event] of this.all.entries()) {
      const problem =
        event.seq === index
          ? (this.invariants.check(event) ?? this.surface.check(event) ?? checkSources(event, index))
          : `event ${event.seq} at position ${index}`;
      if (problem)
        throw new AppError(
          "SESSION_CORRUPT",
          `The session's log is damaged at event ${index}: ${problem}. It can be read but not continued.`,
        );
      // as those that are appended: nobody changes what the model sees, and what was made of a frozen message is kept with it (SES-4)
      if (isSurfaceEvent(event)) for (const message of messageOf(event)) freezeDeep(message);
      this.follow(event);
    }
  }

  get events(): readonly SessionEvent[] {
    return this.all;
  }
  get turn(): number {
    return this.invariants.turn;
  }
  get step(): number {
    return this.invariants.step;
  }
  /** Number of the newest step of the newest turn, 0 before its first. */
  get lastStep(): number {
    return this.invariants.previousStep;
  }
  get lastTurn(): number {
    return this.invariants.previousTurn;
  }
  get isFenced(): boolean {
    return this.fenced;
  }
  /** Whether observers are being told of an event, so that nothing may be appended (AG-006). */
  get isPublishing(): boolean {
    return this.publishing;
  }
  /** What is open in the log: calls of the step, brackets, commands. */
  get open(): OpenParts {
    return this.invariants.open;
  }

  /** The newest event of a type, without a walk through the log. */
  last<T extends EventType>(type: T): SessionEventOf<T> | null {
    return (this.latest.get(type) as SessionEventOf<T> | undefined) ?? null;
  }

  /**
   * Appends one event (SES-9): copies and freezes, validates, takes it at the next position (SES-3), then tells observers, whose failures are not
   * the caller's (SES-10). Durable after the next `flush`.
   * `time` is for closers, which repeat that of the last event before them (REC-14).
   * @throws AppError SESSION_REJECTED_EVENT and leaves the log unchanged; LEASE_LOST once fenced
   */
  append(draft: EventDraft, time = (this.options.now ?? Date.now)()): SessionEvent {
    if (this.fenced) throw leaseLost();
    if (this.publishing) throw rejected("an event", "an observer may not append");
    const seq = this.all.length;
    const sealed = this.seal(draft);
    const problem = this.invariants.check(sealed) ?? this.surface.check(sealed) ?? checkSources(sealed, seq);
    if (problem) throw rejected(sealed.type, problem);
    const event = Object.freeze({ ...sealed, seq, time }) as SessionEvent;
    this.all.push(event);
    this.follow(event);
    this.paused = false;
    this.schedule();
    this.publish(event);
    return event;
  }

  /** Marks a command as done with the next batch. */
  consume(commandId: CommandId): void {
    this.commands.push(commandId);
    this.schedule();
  }

  /** Puts a question to a person with the batch of the events that ask it. Safe to repeat with the same id. */
  ask(prompt: NewPrompt): void {
    this.prompts.push(prompt);
    this.schedule();
  }

  /** Changes what the session row shows, with the next batch. */
  show(patch: SessionPatch): void {
    this.patch = { ...this.patch, ...patch };
    this.patched = true;
    this.schedule();
  }

  /** A barrier (SES-31): resolves when everything appended before and during it is durable. @throws what the write threw */
  async flush(): Promise<void> {
    this.paused = false;
    for (;;) {
      if (this.fenced) throw leaseLost();
      if (this.writing !== null) await this.writing;
      else if (this.isDirty()) await this.startWrite();
      else return;
    }
  }

  /**
   * The barrier before a tool body (SES-29b): when it resolves, the call's record is durable and the ledger says that the body may have
   * begun (REC-15). @throws what the write threw; then the ledger does not say so, and the body must not run
   */
  async dispatch(callSeq: number): Promise<void> {
    this.dispatching.push(callSeq);
    try {
      await this.flush();
    } catch (error) {
      this.dispatching = this.dispatching.filter((seq) => seq !== callSeq);
      throw error;
    }
  }

  private seal(draft: EventDraft): EventDraft {
    const sealed = seal(draft);
    return this.options.redact?.(sealed) ?? sealed;
  }

  private isDirty(): boolean {
    return (
      this.saved < this.all.length || this.commands.length > 0 || this.patched || this.dispatching.length > 0 || this.prompts.length > 0
    );
  }

  private schedule(): void {
    if (this.scheduled || this.paused || this.fenced) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.writing !== null || this.paused || this.fenced || !this.isDirty()) return;
      this.startWrite().catch(() => {
        // told to onWriteError; an explicit flush meets the failure itself
      });
    });
  }

  private startWrite(): Promise<void> {
    // what follows in the same synchronous run belongs to the batch: the consumed command with its effect, say (SES-34)
    const write = Promise.resolve().then(() => this.write());
    this.writing = write.finally(() => {
      this.writing = null;
      if (this.isDirty()) this.schedule();
    });
    return this.writing;
  }

  private async write(): Promise<void> {
    const events = this.all.slice(this.saved);
    const ledger = { dispatched: this.dispatching, finished: answeredCalls(events) };
    const batch: LogBatch = {
      nextSeq: this.saved,
      events,
      consume: this.commands,
      patch: this.patch,
      ledger,
      prompts: { open: this.prompts, close: decidedPrompts(events) },
    };
    this.dispatching = [];
    this.prompts = [];
    this.commands = [];
    this.patch = {};
    this.patched = false;
    try {
      await this.options.write(batch);
    } catch (error) {
      this.commands = [...batch.consume, ...this.commands];
      this.prompts = [...batch.prompts.open, ...this.prompts];
      this.patched ||= Object.keys(batch.patch).length > 0;
      this.patch = { ...batch.patch, ...this.patch };
      this.paused = true;
      if (isAppError(error, "LEASE_LOST")) {
        this.fenced = true;
        this.options.onFenced?.();
      }
      this.options.onWriteError?.(error);
      throw error;
    }
    this.saved += batch.events.length;
    this.options.onCommitted?.(batch.events);
  }

  private follow(event: SessionEvent): void {
    this.invariants.commit(event);
    this.surface.commit(event);
    this.latest.set(event.type, event);
  }

  private publish(event: SessionEvent): void {
    this.publishing = true;
    try {
      this.options.onAppend?.(event);
    } catch (error) {
      this.options.onObserverError?.(error);
    } finally {
      this.publishing = false;
    }
  }
}

/** Questions that were decided here; a row that a person answered is that already. */
function decidedPrompts(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "approval/decided" || event.type === "question/answered" ? [event.data.id] : []));
}

/** Positions of the `tool/call` events whose results these are. */
function answeredCalls(events: readonly SessionEvent[]): number[] {
  return events.flatMap((event) => (event.type === "tool/result" && event.surfaceOp === "append" ? (event.sourceEventSeqs ?? []) : []));
}

/** Earlier positions, each once; an answer may cite none, when nothing was streamed (SES-7). */
function checkSources({ type, sourceEventSeqs: sources }: EventDraft, seq: number): string | null {
  if (sources === undefined) return null;
  if (!Array.isArray(sources)) return "sources are a list";
  if (sources.length === 0 && type !== "assistant/message") return "sources may not be empty";
  if (new Set(sources).size !== sources.length) return "sources repeat";
  return sources.every((source) => Number.isSafeInteger(source) && source >= 0 && source < seq)
    ? null
    : "a source must be an earlier event";
}

function seal(draft: EventDraft): EventDraft {
  try {
    return sealDraft(draft);
  } catch (cause) {
    throw rejected("an event", cause instanceof Error ? cause.message : "not JSON", cause);
  }
}

function rejected(type: string, why: string, cause?: unknown): AppError {
  return new AppError("SESSION_REJECTED_EVENT", `The log refused ${type}: ${why}.`, { cause });
}
function leaseLost(): AppError {
  return new AppError("LEASE_LOST", "Another worker holds this session now.");
}
