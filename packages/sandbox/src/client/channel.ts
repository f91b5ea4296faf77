import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { AppError } from "@gantry/contracts";
import type { DialedFrame, DialFrame, TunnelFrame } from "../egress/tunnel-frames.ts";
import { encodeFrame, type FromWorker, PartCollector } from "../protocol/frames.ts";
import { lineSplitter } from "../protocol/lines.ts";
import type { Op, OpArgs, OpResult } from "../protocol/ops.ts";
import { results } from "../protocol/results.ts";
import { callFailure } from "./failures.ts";
import { type FromSandboxFrame, FromSandboxSchema } from "./frame-schema.ts";

type OutputListener = (piece: { stream: "stdout" | "stderr"; text: string; lostBytes: number }) => void;
type Waiting = { op: Op; resolve(value: unknown): void; reject(error: Error): void; onOutput: OutputListener | undefined };
export type RequestOptions = { signal?: AbortSignal | undefined; onOutput?: OutputListener | undefined };

const helloTimeoutMs = 20_000;

/**
 * When sandboxd, which owes an answer, is asked for a sign of life, and how long it may take to give one, in milliseconds. A frozen container
 * answers nothing and never hangs up: without this its call would wait for ever, and a Stop with it.
 */
export type Patience = { readonly askEveryMs: number; readonly askAfterCancelMs: number; readonly replyMs: number };
const defaultPatience: Patience = { askEveryMs: 20_000, askAfterCancelMs: 2_000, replyMs: 20_000 };

/**
 * One connection to sandboxd. Everything that arrives is parsed, bounded and must be numbered without a gap; the first line that is not as it
 * should be ends the connection, because what came out of a container is not to be trusted (SC-S8).
 */
export class Channel {
  readonly closed: Promise<{ reason: string }>;
  private readonly socket: Duplex;
  private readonly id = randomUUID();
  private readonly waiting = new Map<number, Waiting>();
  private readonly parts = new PartCollector();
  private sent = 0;
  private received = 0;
  private nextId = 1;
  /** The highest epoch that this life of the world has served before; -1 when it is new. */
  previousEpoch = -1;
  /** Takes the frames of the world's way out; false ends the connection. Without one the world may not send any. */
  onEgress: ((frame: DialFrame | TunnelFrame) => boolean) | null = null;
  private hello: { resolve(): void; reject(error: Error): void } | null = null;
  private endReason: string | null = null;
  private settleClosed: (value: { reason: string }) => void = () => {};
  private readonly patience: Patience;
  private readonly asking: NodeJS.Timeout;
  private reply: NodeJS.Timeout | undefined;

  private constructor(socket: Duplex, patience: Patience) {
    this.socket = socket;
    this.patience = patience;
    this.asking = setInterval(() => this.waiting.size > 0 && this.expectLife(), patience.askEveryMs).unref();
    this.closed = new Promise((resolve) => {
      this.settleClosed = resolve;
    });
    const onChunk = lineSplitter(
      (line) => this.receive(line),
      () => this.end("it sent a line that is too long"),
    );
    socket.on("data", onChunk);
    socket.on("error", () => this.end("the connection broke"));
    socket.on("close", () => this.end("the connection ended"));
    socket.on("end", () => this.end("the connection ended"));
  }

  /** Says hello with the epoch of the caller's lease. @throws SANDBOX_FENCED, SANDBOX_START when sandboxd does not answer */
  static async open(socket: Duplex, epoch: number, patience = defaultPatience): Promise<Channel> {
    const channel = new Channel(socket, patience);
    const answered = new Promise<void>((resolve, reject) => {
      channel.hello = { resolve, reject };
    });
    const timer = setTimeout(() => channel.end("its daemon did not answer"), helloTimeoutMs);
    // the first newline ends what a worker before us may have left half-written
    socket.write(`\n${JSON.stringify({ t: "hello", c: channel.id, epoch } satisfies FromWorker)}\n`);
    try {
      await answered;
    } finally {
      clearTimeout(timer);
    }
    return channel;
  }

  /** @throws FsError, SpawnError, AppError SANDBOX_LOST … ; the reason of `signal` when it is aborted before the answer */
  request<O extends Op>(op: O, args: OpArgs[O], { signal, onOutput }: RequestOptions = {}): Promise<OpResult<O>> {
    if (this.endReason !== null) return Promise.reject(lost(this.endReason));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      let asking: NodeJS.Timeout | undefined;
      const cancel = () => {
        this.send({ t: "cancel", c: this.id, n: 0, id });
        asking = setTimeout(() => this.expectLife(), this.patience.askAfterCancelMs);
      };
      const done = () => {
        clearTimeout(asking);
        signal?.removeEventListener("abort", cancel);
      };
      this.waiting.set(id, {
        op,
        onOutput,
        resolve: (value) => {
          done();
          resolve(value as OpResult<O>);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      this.send({ t: "req", c: this.id, n: 0, id, op, a: args });
      if (signal?.aborted) cancel();
      else signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Room in the socket's buffer again, or the end of the connection. */
  async drained(): Promise<void> {
    if (!this.socket.writableNeedDrain || this.endReason !== null) return;
    await Promise.race([new Promise((resolve) => this.socket.once("drain", resolve)), this.closed]);
  }

  get isOpen(): boolean {
    return this.endReason === null;
  }

  end(reason: string): void {
    if (this.endReason !== null) return;
    this.endReason = reason;
    clearInterval(this.asking);
    clearTimeout(this.reply);
    this.socket.destroy();
    this.hello?.reject(new AppError("SANDBOX_START", `The sandbox did not start: ${reason}. Try again.`));
    for (const { reject } of this.waiting.values()) reject(lost(reason));
    this.waiting.clear();
    this.settleClosed({ reason });
  }

  sendEgress(frame: DialedFrame | TunnelFrame): void {
    this.send({ ...frame, c: this.id, n: 0 });
  }

  /** Ends the connection unless anything at all arrives in time. */
  private expectLife(): void {
    if (this.reply !== undefined || this.endReason !== null) return;
    const before = this.received;
    const judge = () => {
      this.reply = undefined;
      if (this.received === before) this.end("its daemon does not answer any more");
    };
    // after a turn of the loop: what arrived while this process itself was busy is read first
    this.reply = setTimeout(() => setImmediate(judge), this.patience.replyMs);
    this.request("ping", {}).catch(() => {}); // the end of the connection is told to whoever waits for more
  }

  private send(frame: Exclude<FromWorker, { t: "hello" }>): void {
    if (this.endReason !== null) return;
    for (const line of encodeFrame(frame, () => ++this.sent)) this.socket.write(line);
  }

  private receive(line: string): void {
    if (this.endReason !== null) return;
    const parsed = FromSandboxSchema.safeParse(json(line));
    // before the hello this may be the end of a line meant for the worker before us
    if (!parsed.success && this.hello === null) this.end("it sent something that is not of the protocol");
    if (parsed.success && parsed.data.c === this.id) this.take(parsed.data);
  }

  private take(frame: FromSandboxFrame): void {
    if (frame.t === "hello") this.welcomed(frame.previous);
    else if (frame.t === "fenced") this.refuse();
    else if (frame.n !== ++this.received) this.end("a part of its answers was lost");
    else if (frame.t === "part") this.collect(frame);
    else if (frame.t === "res") this.settle(frame);
    else if (frame.t !== "out") this.onEgress?.(frame) || this.end("it sent something that is not of the protocol");
    else this.waiting.get(frame.id)?.onOutput?.({ stream: frame.s, text: frame.d, lostBytes: frame.lost });
  }

  private welcomed(previousEpoch: number): void {
    this.previousEpoch = previousEpoch;
    this.hello?.resolve();
    this.hello = null;
  }

  private refuse(): void {
    this.hello?.reject(new AppError("SANDBOX_FENCED", "Another worker has taken over this session. Stop working on it here."));
    this.hello = null;
    this.end("another worker has taken over");
  }

  private collect(part: Extract<FromSandboxFrame, { t: "part" }>): void {
    let whole: string | null;
    try {
      whole = this.parts.add(part);
    } catch {
      this.end("it sent an answer that is too long");
      return;
    }
    if (whole === null) return;
    const parsed = FromSandboxSchema.safeParse({ ...(json(whole) as object | null), n: 1 });
    if (parsed.success && parsed.data.t === "res") this.settle(parsed.data);
    else this.end("it sent something that is not of the protocol");
  }

  private settle(frame: Extract<FromSandboxFrame, { t: "res" }>): void {
    const waiting = this.waiting.get(frame.id);
    if (!waiting) return;
    this.waiting.delete(frame.id);
    const result = frame.ok ? results[waiting.op].safeParse(frame.r) : null;
    if (!frame.ok) waiting.reject(callFailure(frame.e));
    else if (result?.success) waiting.resolve(result.data);
    else {
      waiting.reject(lost("it gave an answer that cannot be read"));
      this.end("it gave an answer that cannot be read");
    }
  }
}

function lost(reason: string): AppError {
  return new AppError(
    "SANDBOX_LOST",
    `The sandbox was lost: ${reason}. The files of the workspace are kept; the next use starts a new one.`,
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // refused by the schema
  }
}
