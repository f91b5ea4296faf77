import type { SandboxMode, WorldOwner } from "@gantry/sandbox/seams";
import type { ToolAgent } from "../agent.ts";
import type { ToolRun } from "../registry/types.ts";
import type { Escalation } from "./read-escalation.ts";

/**
 * Runs a body's work in the session's world, or, with an escalation that was approved, in a second one of the wider mode that ends with the call
 * (ESC-2). @throws what the work throws; AppError when the second world does not start
 */
export async function inMode<T>(
  agent: ToolAgent,
  escalation: Escalation | null,
  { signal, execution }: ToolRun,
  work: (owner: WorldOwner, mode: SandboxMode) => Promise<T>,
): Promise<T> {
  if (!escalation) return work(agent, agent.sandboxMode());
  if (execution.isRejoin) throw new Error("the second sandbox of this call went with the worker that had opened it");
  const { mode } = escalation;
  const { world, end } = await agent.openSibling(mode, signal);
  const owner: WorldOwner = { orgId: agent.orgId, sessionId: agent.sessionId, world: async () => world, sandboxMode: () => mode };
  try {
    return await work(owner, mode);
  } finally {
    await end();
  }
}
