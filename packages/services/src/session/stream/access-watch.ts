import { AppError, isAppError } from "@gantry/contracts";
import type { ServiceContext } from "../../context.ts";

const recheckMs = 10_000;
/** A stream that could not check its reader for so long ends: better a reconnect than a removed member who reads on. */
const patienceMs = 30_000;

export type AccessWatch = {
  /** Whether it is time to check again. */
  isDue(): boolean;
  /** Checks login and membership. @throws UNAUTHENTICATED or NOT_FOUND once they are gone */
  check(): Promise<void>;
  /** Takes an error of the database for what it is: passing for a while. @throws the error when it is final, UNAVAILABLE after 30 s */
  bear(error: unknown): void;
};

/** Watches over a stream's right to go on: every 10 s, so that a removed member's stream ends within 30 s even if a check fails (SC-W7). */
export function createAccessWatch(ctx: ServiceContext): AccessWatch {
  let sureAt = performance.now();
  let recheckAt = sureAt + recheckMs;

  const bear = (error: unknown): void => {
    if (isAppError(error) && error.code !== "UNAVAILABLE") throw error;
    if (performance.now() - sureAt > patienceMs)
      throw new AppError("UNAVAILABLE", "The session cannot be followed right now. The page tries again by itself.", { cause: error });
    ctx.log.warn({ err: error }, "a stream could not read the database; it tries again");
  };
  return {
    bear,
    isDue: () => performance.now() >= recheckAt,
    async check() {
      recheckAt = performance.now() + recheckMs;
      try {
        await ctx.recheck();
        sureAt = performance.now();
      } catch (error) {
        bear(error);
      }
    },
  };
}
