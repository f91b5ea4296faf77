import type { Socket } from "node:net";
import type { TunnelFrame } from "./tunnel-frames.ts";
import { chunkBytes, windowBytes } from "./tunnel-limits.ts";

export type TunnelEnd = "closed" | "reset";
export type TunnelEvents = {
  send(frame: TunnelFrame): void;
  /** Bytes that passed, in either direction. */
  onBytes?(count: number): void;
  /** Called once. `reset`: it did not end in order. */
  onEnd(end: TunnelEnd): void;
};

/** Held beyond the window: the last read of a socket may be so large. */
const slackBytes = 2 * chunkBytes;
/** A socket that ended in order may take so long to pass on what it holds. */
const lingerMs = 30_000;

/**
 * One end of a tunnel: copies between a socket and frames, with the same rules on both sides. It reads no further than the other side
 * has taken (`ack`), so neither end ever holds more than the window; a peer that sends more than that is cut off. Half-closes are
 * passed on; an error, an abort or a socket that closes early resets the whole tunnel.
 */
export class Tunnel {
  private readonly id: number;
  private readonly socket: Socket;
  private readonly events: TunnelEvents;
  private unacknowledged = 0;
  private held = 0;
  private taken = 0;
  private hasSentEnd = false;
  private hasReceivedEnd = false;
  private isOver = false;

  /** `socket` must allow half-open connections. Nothing is read before `start`. */
  constructor(id: number, socket: Socket, events: TunnelEvents) {
    this.id = id;
    this.socket = socket;
    this.events = events;
  }

  start(head?: Buffer): void {
    const { socket } = this;
    socket.on("data", (bytes) => this.pass(bytes));
    socket.on("end", () => this.passEnd());
    socket.on("error", () => this.reset());
    socket.on("close", () => this.reset());
    if (head && head.length > 0) this.pass(head);
    if (socket.destroyed) this.reset();
    else if (this.unacknowledged < windowBytes) socket.resume();
  }

  /** False when the frame breaks the rules of the tunnel: the peer is not to be trusted any further. */
  receive(frame: TunnelFrame): boolean {
    if (this.isOver) return true;
    if (frame.t === "ack") return this.acknowledge(frame.b);
    if (frame.t === "reset") this.finish("reset");
    else if (this.hasReceivedEnd) return false;
    else if (frame.t === "bytes") return this.take(Buffer.from(frame.d, "base64"));
    else {
      this.hasReceivedEnd = true;
      this.socket.end();
      this.finishWhenDone();
    }
    return true;
  }

  /** Ends both directions at once and tells the other side. */
  reset(): void {
    if (this.isOver) return;
    this.events.send({ t: "reset", id: this.id });
    this.finish("reset");
  }

  private pass(bytes: Buffer): void {
    if (this.isOver) return;
    this.events.onBytes?.(bytes.length);
    for (let at = 0; at < bytes.length && !this.isOver; at += chunkBytes) {
      const piece = bytes.subarray(at, at + chunkBytes);
      this.unacknowledged += piece.length;
      this.events.send({ t: "bytes", id: this.id, d: piece.toString("base64") });
    }
    if (this.unacknowledged >= windowBytes) this.socket.pause();
  }

  private passEnd(): void {
    if (this.isOver || this.hasSentEnd) return;
    this.hasSentEnd = true;
    this.events.send({ t: "fin", id: this.id });
    this.finishWhenDone();
  }

  private take(bytes: Buffer): boolean {
    this.held += bytes.length;
    if (bytes.length === 0 || this.held > windowBytes + slackBytes) return false;
    this.events.onBytes?.(bytes.length);
    if (this.isOver) return true;
    this.socket.write(bytes, () => this.acknowledgeTaken(bytes.length));
    return true;
  }

  /** Counts only what the socket has passed on, so a slow reader slows the sender. */
  private acknowledgeTaken(count: number): void {
    this.taken += count;
    if (this.isOver || (this.taken < windowBytes / 4 && this.taken < this.held)) return;
    this.held -= this.taken;
    this.events.send({ t: "ack", id: this.id, b: this.taken });
    this.taken = 0;
  }

  private acknowledge(count: number): boolean {
    if (count > this.unacknowledged) return false;
    this.unacknowledged -= count;
    if (this.unacknowledged < windowBytes) this.socket.resume();
    return true;
  }

  private finishWhenDone(): void {
    if (this.hasSentEnd && this.hasReceivedEnd) this.finish("closed");
  }

  private finish(end: TunnelEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    if (end === "closed") {
      this.socket.setTimeout(lingerMs, () => this.socket.destroy());
      this.socket.destroySoon();
    } else cutOff(this.socket);
    this.events.onEnd(end);
  }
}

/** With a reset, so that what arrived is not taken for all there was; a socket that is shutting down cannot be reset and would never close. */
function cutOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
