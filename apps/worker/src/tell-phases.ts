import type { Agent } from "@gantry/agent";

/** Of an agent, what telling needs. */
type Teller = Pick<Agent, "activity" | "status" | "showActivity">;

/**
 * Tells how far the start of a session's container is, while a turn runs. The start overlaps the first model call, so text that is being
 * written is not talked over, and what was said before the start is said again once the container is there.
 */
export function tellPhases(agent: Teller): (phase: string) => void {
  const since = Date.now();
  let before: Teller["activity"] | null = null;
  return (phase) => {
    const { activity } = agent;
    const isMine = activity.kind === "starting-sandbox" && activity.since === since;
    if (phase === "ready") {
      if (isMine && before) agent.showActivity(before);
    } else if (agent.status === "running" && activity.kind !== "streaming" && activity.kind !== "stopping") {
      if (!isMine) before = activity;
      agent.showActivity({ kind: "starting-sandbox", since, phase });
    }
  };
}
