import { isAppError } from "@gantry/contracts";

/** The word that the sign-in page gets for an error: the code, with the seconds to wait where there are some (`RATE_LIMITED:37`). */
export function signInWord(error: unknown): string {
  if (!isAppError(error)) return "INTERNAL";
  const seconds = error.data?.retryAfterSeconds;
  return seconds === undefined ? error.code : `${error.code}:${seconds}`;
}
