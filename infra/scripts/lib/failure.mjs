/** A failure the reader can act on: printed without a stack. */
export class Failure extends Error {}

/** Prints an error the way its reader needs it and sets the exit code. */
export function reportFailure(error) {
  process.exitCode = 1;
  process.stderr.write(error instanceof Failure ? `\n${error.message}\n` : `\n${error?.stack ?? error}\n`);
}
