import { AppError } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";

/** Pins what a session works under, where its root has permissions (PRM-4). Call it while no turn is open. */
export function pinPermission(agent: Agent, preset: string): void {
  agent.ctx.get("permissions")?.pin(agent, preset);
}

/** Puts a session on a permission preset (PRM-3). @throws AppError INPUT_REFUSED for a name or a root that has none */
export function setPermission(agent: Agent, preset: string): void {
  const permissions = agent.ctx.get("permissions");
  if (!permissions) throw new AppError("INPUT_REFUSED", "Sessions of this organisation have no permission presets.");
  permissions.set(agent, preset);
}
