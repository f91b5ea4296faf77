/** The step waits for a person: it stays open as it is, without closers, and is taken up there once the answer is logged (architecture §8). */
export class Waiting extends Error {
  constructor() {
    super("the step waits for a person");
    this.name = "Waiting";
  }
}
