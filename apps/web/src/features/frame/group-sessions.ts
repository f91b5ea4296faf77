export type SessionGroup = "needs" | "working" | "ready" | "inactive";
type Groupable = { readonly status: string; readonly problem: string | null; readonly lastActivityAt: Date };

const inactiveAfterMs = 3 * 24 * 3600 * 1000;
export const groupOrder: readonly SessionGroup[] = ["needs", "working", "ready", "inactive"];

/** Where a session belongs in a list: who waits for whom. */
export function groupOf(session: Groupable, now: number): SessionGroup {
  if (session.status === "waiting") return "needs";
  if (session.status === "working" || session.status === "stopping") return "working";
  if (session.problem !== null || session.status === "failed") return "needs";
  return now - session.lastActivityAt.getTime() > inactiveAfterMs ? "inactive" : "ready";
}

/** The groups that have sessions, in order; the order inside a group stays. */
export function groupSessions<S extends Groupable>(sessions: readonly S[], now: number): { group: SessionGroup; sessions: S[] }[] {
  return groupOrder
    .map((group) => ({ group, sessions: sessions.filter((session) => groupOf(session, now) === group) }))
    .filter(({ sessions }) => sessions.length > 0);
}
