import type { ToolAgent } from "./agent.ts";
import type { ToolRun } from "./registry/types.ts";

/** The calling agent of a tool that works in its world or log. @throws Error for a call without a session */
export function requireAgent(run: ToolRun): ToolAgent {
  if (run.agent === undefined) throw new Error(`${run.execution.name} needs a session: this call has no agent`);
  return run.agent;
}
