import { type CommandPayload, isEvent } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";
import type {} from "./commands.ts";

/**
 * Carries out a person's slash command beside whatever runs; begin and end are in the log. One that nobody registered ends at once with an
 * error that says so. A repeat does nothing.
 */
export function applyHumanCommand(agent: Agent, command: Extract<CommandPayload, { kind: "command" }>): void {
  const { commandId, name, args, userId } = command;
  if (agent.log.events.some((event) => isEvent(event, "command/run") && event.data.commandId === commandId)) return;
  const commands = agent.ctx.get("commands");
  if (!commands?.find(name, agent)) {
    agent.log.append({ type: "command/run", data: { commandId, name, ...(args ? { args } : {}), userId } });
    const text = `There is no command /${name} in this session.`;
    agent.log.append({ type: "command/done", data: { commandId, kind: "error", text } });
    return;
  }
  const attachments = command.attachments?.map(({ attachmentId }) => ({ id: attachmentId })) ?? [];
  agent
    .runBeside((signal) => commands.execute(agent, { commandId, name, args, userId, attachments }, signal))
    .catch((err: unknown) => agent.ctx.logger.warn({ sessionId: agent.sessionId, command: name, err }, "a command failed"));
}
