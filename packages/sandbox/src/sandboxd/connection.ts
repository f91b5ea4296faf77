import type { Writable } from "node:stream";
import { encodeFrame, type FromSandbox } from "../protocol/frames.ts";
import type { ConnectProxy } from "./egress/connect-proxy.ts";

type Unnumbered = FromSandbox extends infer F ? (F extends { n: number } ? Omit<F, "n" | "c"> : never) : never;
/** The way out that a worker opened for its world. */
type Egress = Pick<ConnectProxy, "port" | "receive" | "close">;

/** Waiting bytes above which increments of output are skipped rather than queued. */
const slowBytes = 4 * 1024 * 1024;

/** One attachment of a worker. Lines it is sent are numbered; what is sent after its end goes nowhere. */
export class Connection {
  readonly id: string;
  readonly epoch: number;
  readonly cancels = new Map<number, () => void>();
  private readonly out: Writable;
  private sent = 0;
  private received = 0;
  private heardAt = performance.now();
  private egressOpening: Promise<Egress> | null = null;
  egress: Egress | null = null;
  private isOpen = true;

  constructor(id: string, epoch: number, out: Writable) {
    this.id = id;
    this.epoch = epoch;
    this.out = out;
  }

  /** False when a line is missing before this one. */
  accepts(n: number): boolean {
    this.received += 1;
    this.heardAt = performance.now();
    return n === this.received;
  }

  send(frame: Unnumbered): void {
    if (!this.isOpen) return;
    for (const line of encodeFrame({ ...frame, c: this.id }, () => ++this.sent)) this.out.write(line);
  }

  silentForMs(): number {
    return performance.now() - this.heardAt;
  }

  /** Opens the way out once; a repeat answers the same. */
  openEgress(listen: (connection: Connection) => Promise<Egress>): Promise<Egress> {
    this.egressOpening ??= listen(this).then((egress) => {
      if (this.isOpen) this.egress = egress;
      else egress.close();
      return egress;
    });
    return this.egressOpening;
  }

  get isSlow(): boolean {
    return this.out.writableLength > slowBytes;
  }

  end(): void {
    this.isOpen = false;
    this.cancels.clear();
    this.egress?.close();
  }
}
