/**
 * The network address that limits are counted by. The server writes it into `x-forwarded-for` when no proxy did; behind a proxy that appends the
 * peer it saw, the last entry is the one nobody outside can choose. A server that faces the internet without a proxy takes the client's
 * word here: the limits by account hold regardless.
 */
export function clientAddress(headers: { get(name: string): string | null }): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}
