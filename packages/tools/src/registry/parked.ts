/**
 * Thrown by a body that waits for a person (architecture §8): the call gets no result now, its step stays open, and the call is prepared
 * and run again once the answer is in the session's log. Nothing that has an effect may come before it.
 */
export class ParkedCall extends Error {
  constructor() {
    super("this call waits for a person");
    this.name = "ParkedCall";
  }
}
