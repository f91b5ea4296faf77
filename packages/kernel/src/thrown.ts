/** What was thrown, in words. Anything may be thrown, also what refuses to be looked at. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    const message = typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown;
    if (thrown instanceof Error && message === "") return thrown.name;
    return String(message) || "an empty text";
  } catch {
    return "something was thrown that cannot be read";
  }
}

/** The same as an error that logs and others can read; itself where it is one. Never throws. */
export function asError(thrown: unknown): Error {
  return isReadable(thrown) ? thrown : new Error(describeThrown(thrown));
}

/** The code by which an error is counted. Never throws. */
export function codeOf(thrown: unknown): string {
  if (!isReadable(thrown)) return "UNKNOWN";
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : thrown.name;
}

/** Reads what others will read; a getter that fails here would fail where nobody expects it. */
function isReadable(thrown: unknown): thrown is Error {
  try {
    if (!(thrown instanceof Error)) return false;
    const { name, message, stack, code } = thrown as Error & { code?: unknown };
    void code;
    return [name, message, stack].every((part) => typeof part === "string");
  } catch {
    return false;
  }
}
