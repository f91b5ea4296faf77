import type { DialedFrame, DialFrame, TunnelFrame } from "../egress/tunnel-frames.ts";

/**
 * Lines between worker and sandboxd: one JSON object a line, over the container's stdio. `c` names the connection, `n` counts the
 * lines of one direction of one connection from 1: a missing number means lost bytes, and the connection ends rather than guess.
 */
export type FromWorker =
  | { t: "hello"; c: string; epoch: number }
  | { t: "req"; c: string; n: number; id: number; op: string; a: unknown }
  | { t: "cancel"; c: string; n: number; id: number }
  | (Numbered & (DialedFrame | TunnelFrame))
  | Part;
export type FromSandbox =
  | { t: "hello"; c: string; n: 0; previous: number }
  | { t: "fenced"; c: string; n: 0; epoch: number }
  | { t: "res"; c: string; n: number; id: number; ok: true; r: unknown }
  | { t: "res"; c: string; n: number; id: number; ok: false; e: { code: string; message: string } }
  | { t: "out"; c: string; n: number; id: number; s: "stdout" | "stderr"; d: string; lost: number }
  | (Numbered & (DialFrame | TunnelFrame))
  | Part;
type Numbered = { c: string; n: number };
/** A piece of the text of a frame that is too long for one line; the piece with `last` completes it. */
export type Part = { t: "part"; c: string; n: number; id: number; d: string; last: boolean };

/** No line is longer (bytes); a longer one is an attack or a defect and ends the connection. */
export const maxLineBytes = 16 * 1024 * 1024;
/** No message put together from parts is longer (UTF-16 units). */
export const maxMessageChars = 96 * 1024 * 1024;
/** Messages are cut into parts of this size, so that a long answer does not hold up short ones. */
const partChars = 512 * 1024;

/** The lines of one message. `next` gives the line its number. */
export function encodeFrame(frame: object & { c: string; id?: number }, next: () => number): string[] {
  const whole = JSON.stringify(frame);
  if (whole.length <= partChars || frame.id === undefined) return [`${JSON.stringify({ ...frame, n: next() })}\n`];
  const lines: string[] = [];
  for (let at = 0; at < whole.length; at += partChars) {
    const part: Part = {
      t: "part",
      c: frame.c,
      n: next(),
      id: frame.id,
      d: whole.slice(at, at + partChars),
      last: at + partChars >= whole.length,
    };
    lines.push(`${JSON.stringify(part)}\n`);
  }
  return lines;
}

/** Collects parts into messages. @throws RangeError when a message grows past its limit */
export class PartCollector {
  private readonly open = new Map<number, string[]>();
  private held = 0;

  /** The complete text, once the last piece is there. */
  add(part: Part): string | null {
    const pieces = this.open.get(part.id) ?? [];
    pieces.push(part.d);
    this.held += part.d.length;
    if (this.held > maxMessageChars) throw new RangeError("a message is longer than the protocol allows");
    if (!part.last) {
      this.open.set(part.id, pieces);
      return null;
    }
    this.open.delete(part.id);
    const text = pieces.join("");
    this.held -= text.length;
    return text;
  }
}
