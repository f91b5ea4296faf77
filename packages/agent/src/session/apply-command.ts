import type { CommandPayload, Message } from "@gantry/contracts";
import { isEvent } from "@gantry/contracts";
import { applyHumanCommand } from "../commands/apply-human-command.ts";
import type { Agent } from "../loop/agent.ts";
import { cleanTitle, maxTitleBytes } from "../titles/title-text.ts";
import { applyQueue } from "./apply-queue.ts";
import { messageContent } from "./message-content.ts";

/** Carries out one durable command (SES-34). Repeating a send is harmless: its message id is known by then (AG-245). */
export function applyCommand(agent: Agent, command: CommandPayload): void {
  if (command.kind === "send") applySend(agent, command);
  else if (command.kind === "cancel") agent.cancel("user", { keepInbox: command.keepInbox });
  else if (command.kind === "rename") applyRename(agent, command.title);
  else if (command.kind === "queue") applyQueue(agent, command);
  else if (command.kind === "command") applyHumanCommand(agent, command);
  else if (isForHolder(command)) throw new Error(`the command ${command.kind} is carried out by whoever holds the session`);
  else command satisfies never;
}

/** A person's title pins: no model names the session any more (TTL-4). */
function applyRename(agent: Agent, wanted: string): void {
  const title = cleanTitle(wanted, { maxBytes: maxTitleBytes });
  if (title === "") return;
  agent.log.append({ type: "session/title", data: { title, messageSeqs: [], source: { kind: "user" } } });
  // as the log has it, with nothing in it that nobody may see
  agent.log.show({ title: agent.log.last("session/title")?.data.title ?? title });
}

function applySend(agent: Agent, command: Extract<CommandPayload, { kind: "send" }>): void {
  if (isKnown(agent, command.messageId)) return;
  const { userId, userName: name, timeZone } = command;
  const source = { kind: "user" as const, userId, name, ...(timeZone ? { timeZone } : {}) };
  const message: Message = { id: command.messageId, role: "user", content: messageContent(command), source };
  agent.send(message, command.target, command.wakeup);
}

function isKnown(agent: Agent, messageId: string): boolean {
  return agent.log.events.some(
    (event) =>
      (isEvent(event, "user/message") && event.data.id === messageId) ||
      (isEvent(event, "agent/inbox/spliced") && event.data.inserted.some((message) => message.id === messageId)),
  );
}

type ForHolder = Extract<CommandPayload, { kind: "select-preset" | "answer" | "set-permission" }>;
const forHolder: ReadonlySet<string> = new Set<ForHolder["kind"]>(["select-preset", "answer", "set-permission"]);
const isForHolder = (command: CommandPayload): command is ForHolder => forHolder.has(command.kind);
