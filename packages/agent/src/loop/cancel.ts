/** Why an activity was cancelled; the first cause wins and becomes the turn's end (PHA-3). */
export type CancelCause = "user" | "parent" | "hook" | "disposed";
/** The abort reason of a turn's signal. */
export class Cancelled extends Error {
  readonly cancelCause: CancelCause;
  constructor(cancelCause: CancelCause) {
    super(`cancelled by ${cancelCause}`);
    this.name = "AbortError";
    this.cancelCause = cancelCause;
  }
}

/** The cause of an aborted turn's signal; `disposed` when it was not aborted by `cancel`. */
export function causeOf(signal: AbortSignal): CancelCause {
  return signal.reason instanceof Cancelled ? signal.reason.cancelCause : "disposed";
}

/** The session was taken away or is being released: nothing more may be written. */
export function isDisposed(signal: AbortSignal): boolean {
  return signal.aborted && causeOf(signal) === "disposed";
}
