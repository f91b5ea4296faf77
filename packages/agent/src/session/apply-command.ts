import type { CommandPayload, Message } from "@gantry/contracts";
import { isEvent } from "@gantry/contracts";
import type { Agent } from "../loop/agent.ts";

/** Carries out one durable command (SES-34). Repeating a send is harmless: its message id is known by then (AG-245). */
export function applyCommand(agent: Agent, command: CommandPayload): void {
  switch (command.kind) {
    case "send": {
      if (isKnown(agent, command.messageId)) return;
      const source = { kind: "user" as const, userId: command.userId, name: command.userName };
      const message: Message = { id: command.messageId, role: "user", content: [{ type: "text", text: command.text }], source };
      return agent.send(message, command.target, command.wakeup);
    }
    case "cancel":
      return agent.cancel("user", { keepInbox: command.keepInbox });
    case "rename":
      agent.log.append({ type: "session/title", data: { title: command.title, messageSeqs: [], source: { kind: "user" } } });
      return agent.log.show({ title: command.title });
    default:
      return command satisfies never;
  }
}

function isKnown(agent: Agent, messageId: string): boolean {
  return agent.log.events.some(
    (event) =>
      (isEvent(event, "user/message") && event.data.id === messageId) ||
      (isEvent(event, "agent/inbox/spliced") && event.data.inserted.some((message) => message.id === messageId)),
  );
}
