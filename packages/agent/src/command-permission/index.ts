import { isAppError } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import type { CommandOutcome, CommandRun } from "../commands/index.ts";
import type { Agent } from "../loop/agent.ts";
import { policyOf } from "../permissions/facts.ts";
import type {} from "../permissions/service.ts";

/** The command `/permission [preset]`: shows what the session may touch, or puts it on another preset (PRM-4). */
export const name = "command-permission";
export const inject = ["commands", "permissions"];

export function apply(ctx: Context): void {
  ctx.commands.register({
    name: "permission",
    description: "Show what the session may touch, or put it on another permission preset",
    run: (run) => (run.args.trim() === "" ? shown(ctx, run.agent) : switched(ctx, run)),
  });
}

function shown({ permissions }: Context, agent: Agent): CommandOutcome {
  const facts = `sandbox ${agent.sandboxMode()}, approvals: ${policyOf(agent)}`;
  return {
    kind: "success",
    text: `This session is on ${permissions.current(agent)} (${facts}). Presets: ${permissions.names().join(", ")}.`,
  };
}

function switched({ permissions }: Context, { agent, args }: CommandRun): CommandOutcome {
  const { length } = agent.log.events;
  try {
    permissions.set(agent, args.trim());
  } catch (error) {
    if (isAppError(error)) return { kind: "error", text: error.message };
    throw error;
  }
  const text = `The session is on ${permissions.current(agent)}: sandbox ${agent.sandboxMode()}, approvals: ${policyOf(agent)}.`;
  // the first fact that changed
  return agent.log.events.length > length ? { kind: "success", text, sourceEventSeq: length } : { kind: "success", text };
}
