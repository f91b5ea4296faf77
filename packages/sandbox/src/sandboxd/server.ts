import type { Writable } from "node:stream";
import { type FromWorker, PartCollector } from "../protocol/frames.ts";
import type { Op, OpArgs, OpResult } from "../protocol/ops.ts";
import { Connection } from "./connection.ts";
import { Failure } from "./failure.ts";
import type { OutputListener } from "./proc/increments.ts";

/** What a handler gets beside its arguments. */
export type CallContext = {
  isCancelled(): boolean;
  onCancel(cancel: () => void): void;
  /** False when the worker is too slow and this piece was dropped. */
  sendOutput: OutputListener;
  connection: Connection;
};
export type Handlers = { [O in Op]: (args: OpArgs[O], call: CallContext) => OpResult<O> | Promise<OpResult<O>> };

/**
 * Serves one worker at a time over the container's stdio. A new hello replaces the connection before it; a hello of a lower epoch than any
 * seen is refused, so a worker that lost its lease cannot act here (SANDBOX_FENCED). Work goes on when a worker leaves.
 */
export class Server {
  private readonly handlers: Handlers;
  private readonly out: Writable;
  private highestEpoch = -1;
  private connection: Connection | null = null;
  private parts = new PartCollector();

  constructor(handlers: Handlers, out: Writable) {
    this.handlers = handlers;
    this.out = out;
  }

  /** One line of input. Lines of connections that are not the current one are dropped, whatever they are. */
  receive(line: string): void {
    const frame = parse(line);
    const connection = this.connection;
    if (frame?.t === "hello") this.hello(frame);
    else if (frame === null || connection === null || frame.c !== connection.id) return;
    else if (connection.accepts(frame.n)) this.take(connection, frame);
    else this.drop();
  }

  private hello({ c, epoch }: Extract<FromWorker, { t: "hello" }>): void {
    if (epoch < this.highestEpoch) {
      this.out.write(`${JSON.stringify({ t: "fenced", c, n: 0, epoch: this.highestEpoch })}\n`);
      return;
    }
    const previous = this.highestEpoch;
    this.highestEpoch = epoch;
    this.drop();
    this.connection = new Connection(c, epoch, this.out);
    this.out.write(`${JSON.stringify({ t: "hello", c, n: 0, previous })}\n`);
  }

  private drop(): void {
    this.connection?.end();
    this.connection = null;
    this.parts = new PartCollector();
  }

  private take(connection: Connection, frame: Exclude<FromWorker, { t: "hello" }>): void {
    if (frame.t === "cancel") {
      connection.cancels.get(frame.id)?.();
      return;
    }
    if (frame.t === "dialed" || frame.t === "bytes" || frame.t === "ack" || frame.t === "fin" || frame.t === "reset") {
      connection.egress?.receive(frame);
      return;
    }
    const whole = frame.t === "part" ? this.parts.add(frame) : null;
    const request = whole === null ? frame : parse(whole);
    if (request?.t === "req") void this.answer(connection, request.id, request.op, request.a);
  }

  /** Never rejects: every failure becomes an answer. */
  private async answer(connection: Connection, id: number, op: string, args: unknown): Promise<void> {
    let cancel: (() => void) | null = null;
    let isCancelled = false;
    connection.cancels.set(id, () => {
      isCancelled = true;
      cancel?.();
    });
    try {
      const handler = Object.hasOwn(this.handlers, op) ? (this.handlers[op as Op] as (args: unknown, call: CallContext) => unknown) : null;
      if (!handler) throw new Failure("BAD_REQUEST", "sandboxd does not know this operation");
      const r = await handler(args, {
        connection,
        isCancelled: () => isCancelled,
        onCancel: (work) => {
          cancel = work;
          if (isCancelled) work();
        },
        sendOutput: (s, d, lost) => {
          if (connection.isSlow) return false;
          connection.send({ t: "out", id, s, d, lost });
          return true;
        },
      });
      connection.send({ t: "res", id, ok: true, r });
    } catch (error) {
      connection.send({ t: "res", id, ok: false, e: describe(error) });
    } finally {
      connection.cancels.delete(id);
    }
  }
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof Failure) return { code: error.code, message: error.message };
  return { code: "INTERNAL", message: error instanceof Error ? error.message : "unknown failure" };
}

function parse(line: string): FromWorker | null {
  try {
    return JSON.parse(line) as FromWorker;
  } catch {
    return null; // the rest of a line that a killed worker left half-written
  }
}
