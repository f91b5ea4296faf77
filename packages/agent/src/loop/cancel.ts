/**
 * Why an activity was cancelled; the first cause wins (PHA-3). All but `released` become the turn's end: a released session goes on
 * with its next holder, so nothing may be written about its end here (INT-1).
 */
export type CancelCause = "user" | "parent" | "hook" | "disposed" | "released";
/** The abort reason of a turn's signal. */
export class Cancelled extends Error {
  readonly cancelCause: CancelCause;
  constructor(cancelCause: CancelCause) {
    super(`cancelled by ${cancelCause}`);
    this.name = "AbortError";
    this.cancelCause = cancelCause;
  }
}

/** The cause of an aborted turn's signal; `released` when it was not aborted by `cancel`. */
export function causeOf(signal: AbortSignal): CancelCause {
  return signal.reason instanceof Cancelled ? signal.reason.cancelCause : "released";
}

/** The session was taken away or is being released: nothing more may be written. */
export function isReleased(signal: AbortSignal): boolean {
  return signal.aborted && causeOf(signal) === "released";
}
